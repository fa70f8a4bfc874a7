/** The call as a shell script with openssl and curl. */
import { type CodeInput, headersOf, lines, needsToken, type Words } from "./code-input.ts";

/** A text as the shell takes it, whatever it holds. */
function single(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", `'\\''`)}'`;
}

export function writeCurl(input: CodeInput): string {
  const { baseUrl, path, tokenPath, clientKey, clientSecret, body, isToken, signing } = input;
  const withToken = needsToken(input);
  return lines(
    "#!/bin/sh",
    "set -eu",
    `base=${single(baseUrl)}`,
    `path=${single(path)}`,
    (isToken || withToken) && `client_key=${single(clientKey)}`,
    withToken && `client_secret=${single(clientSecret)}`,
    `body=${single(body)}`,
    "",
    "key=$(mktemp)",
    `trap 'rm -f "$key"' EXIT`,
    `cat > "$key" <<'PEM'\n${input.privateKey.trim()}\nPEM`,
    "",
    "now() { date -u +%Y-%m-%dT%H:%M:%SZ; }",
    `rsa() { printf '%s' "$1" | openssl dgst -sha256 -sign "$key" | openssl base64 -A; }`,
    withToken &&
      `hmac() { printf '%s' "$1" | openssl dgst -sha512 -hmac "$client_secret" -binary | openssl base64 -A; }`,
    withToken && tokenCall(tokenPath),
    "",
    "time=$(now)",
    !isToken && `hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
    `signature=$(${signature(isToken, signing)})`,
    `curl -sS "$base$path" \\`,
    `  -H "Content-Type: application/json" \\`,
    ...headersOf(input, words).map(([name, value]) => `  -H "${name}: ${value}" \\`),
    `  --data-raw "$body"`,
    "echo",
  );
}

const tokenCall = (path: string) =>
  lines(
    "",
    "time=$(now)",
    `token=$(curl -sS "$base"${single(path)} \\`,
    `  -H "Content-Type: application/json" -H "X-TIMESTAMP: $time" -H "X-CLIENT-KEY: $client_key" \\`,
    `  -H "X-SIGNATURE: $(rsa "$client_key|$time")" --data-raw '{"grantType":"client_credentials"}' |`,
    `  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
  ).trimEnd();

function signature(isToken: boolean, signing: CodeInput["signing"]): string {
  if (isToken) return `rsa "$client_key|$time"`;
  return signing === "symmetric" ? `hmac "POST:$path:$token:$hash:$time"` : `rsa "POST:$path:$hash:$time"`;
}

function inDoubleQuotes(text: string): string {
  return text.replace(/[\\"$`]/g, "\\$&");
}

const words: Words = {
  time: "$time",
  signature: "$signature",
  clientKey: "$client_key",
  bearer: "Bearer $token",
  text: inDoubleQuotes,
};
