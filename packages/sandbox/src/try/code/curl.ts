/** The call with openssl and curl, to be pasted into a shell: bash, zsh or any POSIX one. */
import { type CodeInput, headersOf, lines, needsToken, type Words } from "./code-input.ts";

/** A text as the shell takes it, whatever it holds. */
function single(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", `'\\''`)}'`;
}

/**
 * A subshell: pasted into a terminal it leaves no variable, option or file in the user's shell. The private key reaches
 * openssl over a pipe. No line is a comment, and no name is one that zsh keeps for itself (`path`).
 */
export function writeCurl(input: CodeInput): string {
  const { baseUrl, path, tokenPath, clientKey, clientSecret, body, isToken, signing } = input;
  const withToken = needsToken(input);
  return lines(
    "(",
    "set -eu",
    `base=${single(baseUrl)}`,
    `uri=${single(path)}`,
    (isToken || withToken) && `client_key=${single(clientKey)}`,
    withToken && `client_secret=${single(clientSecret)}`,
    `body=${single(body)}`,
    `key=${single(input.privateKey.trim())}`,
    "",
    "now() { date -u +%Y-%m-%dT%H:%M:%SZ; }",
    "rsa() {",
    `  printf '%s\\n' "$key" | {`,
    `    printf '%s' "$1" | openssl dgst -sha256 -sign /dev/fd/3 | openssl base64 -A`,
    "  } 3<&0",
    "}",
    withToken &&
      `hmac() { printf '%s' "$1" | openssl dgst -sha512 -hmac "$client_secret" -binary | openssl base64 -A; }`,
    withToken && tokenCall(tokenPath),
    "",
    "time=$(now)",
    !isToken && `hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
    `signature=$(${signature(isToken, signing)})`,
    `curl -sS "$base$uri" \\`,
    `  -H "Content-Type: application/json" \\`,
    ...headersOf(input, words).map(([name, value]) => `  -H "${name}: ${value}" \\`),
    `  --data-raw "$body"`,
    "echo",
    ")",
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
  return signing === "symmetric" ? `hmac "POST:$uri:$token:$hash:$time"` : `rsa "POST:$uri:$hash:$time"`;
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
