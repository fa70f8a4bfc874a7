/** The call in PHP, with its openssl extension. */
import {
  type CodeInput,
  headersOf,
  lines,
  marks,
  needsToken,
  noSandbox,
  signedParts,
  textsOf,
  whyAgain,
  type Words,
} from "./code-input.ts";

/** A text in single quotes, as PHP takes it, whatever it holds. */
function single(text: string): string {
  return `'${text.toWellFormed().replace(/[\\']/g, "\\$&")}'`;
}

export function writePhp(input: CodeInput): string {
  const { isToken, signing, repeats } = input;
  const withToken = needsToken(input);
  return lines(
    "<?php",
    input.values === "texts" ? texts(input) : sandboxFile,
    "",
    helpers,
    repeats ? askAgain : askOnce,
    fail,
    withToken && hmacHelper,
    withToken && tokenCall,
    "",
    `function call(${withToken ? "string $token" : ""}): string`,
    "{",
    "    $time = now();",
    !isToken && "    $hash = hash('sha256', BODY);",
    isToken
      ? "    $signature = rsa(CLIENT_KEY . '|' . $time);"
      : `    $signature = ${signing === "symmetric" ? "sign" : "rsa"}(implode(':', ['POST', PATH, ${signedParts(input, "$token", "$hash", "$time")}]));`,
    "    return post(PATH, BODY, [",
    ...headersOf(input, wordsOf(input)).map(([header, value]) => `        '${header}: ' . ${value},`),
    "    ]);",
    "}",
    "",
    `$answer = ask(${withToken ? "fn () => call($token)" : "'call'"});`,
    `str_contains($answer, '${marks.success}') || fail(PATH, $answer);`,
    "echo $answer, PHP_EOL;",
  );
}

function texts(input: CodeInput): string {
  const withToken = needsToken(input);
  return lines(
    `const BASE = ${single(input.baseUrl)};`,
    `const PATH = ${single(input.path)};`,
    withToken && `const TOKEN_PATH = ${single(input.tokenPath)};`,
    (input.isToken || withToken) && `const CLIENT_KEY = ${single(input.clientKey)};`,
    withToken && `const CLIENT_SECRET = ${single(input.clientSecret)};`,
    `const PRIVATE_KEY = <<<'PEM'\n${input.privateKey.trim()}\nPEM;`,
    `const BODY = ${single(input.body)};`,
  ).trimEnd();
}

const sandboxFile = `$file = (getenv('TITIAN_DATA_DIR') ?: '.titian') . '/sandbox.json';
if (!is_readable($file)) {
    fwrite(STDERR, "No $file${noSandbox}\\n");
    exit(1);
}
$sandbox = json_decode(file_get_contents($file), true);
$partner = $sandbox['partners'][0];
$root = "{$sandbox['pathPrefix']}/{$sandbox['version']}";
define('BASE', $sandbox['baseUrl']);
define('PATH', "$root/transfer-intrabank");
define('TOKEN_PATH', "$root/access-token/b2b");
define('CLIENT_KEY', $partner['clientKey']);
define('CLIENT_SECRET', $partner['clientSecret']);
define('PRIVATE_KEY', $partner['privateKey']);
define('PARTNER_ID', $partner['partnerId']);
define('CHANNEL_ID', $partner['channelId']);
define('NUMBER', (string) hrtime(true) . random_int(1000, 9999));
define('BODY', json_encode([
    'partnerReferenceNo' => NUMBER,
    'amount' => ['value' => '250000.00', 'currency' => 'IDR'],
    'sourceAccountNo' => $partner['sourceAccounts'][0],
    'beneficiaryAccountNo' => $partner['sourceAccounts'][1],
    'transactionDate' => gmdate('Y-m-d\\TH:i:s\\Z'),
]));`;

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
        'timeout' => 30,
    ];
    return (string) @file_get_contents(BASE . $path, false, stream_context_create(['http' => $options]));
}`;

const hmacHelper = `
function sign(string $text): string
{
    return base64_encode(hash_hmac('sha512', $text, CLIENT_SECRET, true));
}`;

const tokenCall = `
function getToken(): string
{
    $time = now();
    return post(TOKEN_PATH, '{"grantType":"client_credentials"}', [
        'X-TIMESTAMP: ' . $time,
        'X-CLIENT-KEY: ' . CLIENT_KEY,
        'X-SIGNATURE: ' . rsa(CLIENT_KEY . '|' . $time),
    ]);
}

$answer = ask('getToken');
$token = json_decode($answer)->accessToken ?? fail(TOKEN_PATH, $answer);`;

const askOnce = `
function ask(callable $send): string
{
    return $send();
}`;

const askAgain = `
${whyAgain.map((line) => `// ${line}`).join("\n")}
function ask(callable $send): string
{
    for ($wait = 1; ; $wait *= 2) {
        $answer = $send();
        $isLost = $answer === '' || str_starts_with($answer, '${marks.lost}');
        if (!$isLost || $wait > 8) {
            return $answer;
        }
        sleep($wait);
    }
}`;

const fail = `
function fail(string $path, string $answer): never
{
    if ($answer === '') {
        fwrite(STDERR, 'No answer from ' . BASE . $path . PHP_EOL);
    } else {
        echo $answer, PHP_EOL;
    }
    exit(1);
}`;

function wordsOf(input: CodeInput): Words {
  return {
    time: "$time",
    signature: "$signature",
    clientKey: "CLIENT_KEY",
    bearer: "'Bearer ' . $token",
    ...textsOf(input, single),
    ...(input.values === "sandboxFile" && {
      partnerId: "PARTNER_ID",
      externalId: "NUMBER",
      channelId: "CHANNEL_ID",
    }),
  };
}
