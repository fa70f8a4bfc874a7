/** The call in PHP, with its openssl extension. */
import { type CodeInput, headersOf, lines, needsToken, signedParts, type Words } from "./code-input.ts";

/** A text in single quotes, as PHP takes it, whatever it holds. */
function single(text: string): string {
  return `'${text.toWellFormed().replace(/[\\']/g, "\\$&")}'`;
}

export function writePhp(input: CodeInput): string {
  const { isToken, signing } = input;
  const withToken = needsToken(input);
  return lines(
    "<?php",
    `const BASE = ${single(input.baseUrl)};`,
    `const PATH = ${single(input.path)};`,
    (isToken || withToken) && `const CLIENT_KEY = ${single(input.clientKey)};`,
    withToken && `const CLIENT_SECRET = ${single(input.clientSecret)};`,
    `const PRIVATE_KEY = <<<'PEM'\n${input.privateKey.trim()}\nPEM;`,
    `const BODY = ${single(input.body)};`,
    "",
    helpers,
    withToken && hmacHelper,
    withToken && tokenCall(input.tokenPath),
    "",
    "$time = now();",
    !isToken && "$hash = hash('sha256', BODY);",
    isToken
      ? "$signature = rsa(CLIENT_KEY . '|' . $time);"
      : `$signature = ${signing === "symmetric" ? "sign" : "rsa"}(implode(':', ['POST', PATH, ${signedParts(input, "$token", "$hash", "$time")}]));`,
    "echo post(PATH, BODY, [",
    ...headersOf(input, words).map(([header, value]) => `    '${header}: ' . ${value},`),
    "]), PHP_EOL;",
  );
}

const helpers = `function now(): string
{
    return gmdate('Y-m-d\\TH:i:s\\Z');
}

function rsa(string $text): string
{
    openssl_sign($text, $signature, PRIVATE_KEY, OPENSSL_ALGO_SHA256);
    return base64_encode($signature);
}

function post(string $path, string $body, array $headers): string
{
    $options = [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', ...$headers],
        'content' => $body,
        'ignore_errors' => true,
    ];
    return file_get_contents(BASE . $path, false, stream_context_create(['http' => $options]));
}`;

const hmacHelper = `
function sign(string $text): string
{
    return base64_encode(hash_hmac('sha512', $text, CLIENT_SECRET, true));
}`;

const tokenCall = (path: string) => `
$time = now();
$answer = post(${single(path)}, '{"grantType":"client_credentials"}', [
    'X-TIMESTAMP: ' . $time,
    'X-CLIENT-KEY: ' . CLIENT_KEY,
    'X-SIGNATURE: ' . rsa(CLIENT_KEY . '|' . $time),
]);
$token = json_decode($answer)->accessToken;`;

const words: Words = {
  time: "$time",
  signature: "$signature",
  clientKey: "CLIENT_KEY",
  bearer: "'Bearer ' . $token",
  text: single,
};
