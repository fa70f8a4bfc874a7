/** The call with openssl and curl, to be pasted into a shell: bash, zsh or any POSIX one. */
import {
  type CodeInput,
  headersOf,
  lines,
  marks,
  needsToken,
  noSandbox,
  textsOf,
  whyAgain,
  type Words,
} from "./code-input.ts";

/** A text as the shell takes it, whatever it holds. */
function single(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", `'\\''`)}'`;
}

/**
 * A subshell: pasted into a terminal it leaves no variable, option or file in the user's shell. The private key reaches
 * openssl over a pipe. No line of what is pasted is a comment, and no name is one that zsh keeps for itself (`path`).
 */
export function writeCurl(input: CodeInput): string {
  const { isToken, signing, repeats } = input;
  const isFile = input.values === "sandboxFile";
  const withToken = needsToken(input);
  return lines(
    isFile && "#!/bin/sh",
    isFile && whyAgain.map((line) => `# ${line}`).join("\n"),
    "(",
    "set -eu",
    isFile ? sandboxFile : texts(input),
    "",
    "now() { date -u +%Y-%m-%dT%H:%M:%SZ; }",
    "rsa() {",
    `  printf '%s\\n' "$key" | {`,
    `    printf '%s' "$1" | openssl dgst -sha256 -sign /dev/fd/3 | openssl base64 -A`,
    "  } 3<&0",
    "}",
    withToken &&
      `hmac() { printf '%s' "$1" | openssl dgst -sha512 -hmac "$client_secret" -binary | openssl base64 -A; }`,
    repeats ? askAgain : askOnce,
    fail,
    isFile && body,
    withToken && tokenCall,
    "",
    "call() {",
    "  time=$(now)",
    !isToken && `  hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)`,
    `  signature=$(${signature(isToken, signing)})`,
    `  curl -s -m 30 "$base$uri" \\`,
    `    -H "Content-Type: application/json" \\`,
    ...headersOf(input, wordsOf(input)).map(([name, value]) => `    -H "${name}: ${value}" \\`),
    `    --data-raw "$body"`,
    "}",
    "",
    "ask call",
    "case $answer in",
    `  *'${marks.success}'*) printf '%s\\n' "$answer" ;;`,
    '  *) fail "$uri" ;;',
    "esac",
    ")",
  );
}

function texts(input: CodeInput): string {
  const withToken = needsToken(input);
  return lines(
    `base=${single(input.baseUrl)}`,
    `uri=${single(input.path)}`,
    withToken && `token_uri=${single(input.tokenPath)}`,
    (input.isToken || withToken) && `client_key=${single(input.clientKey)}`,
    withToken && `client_secret=${single(input.clientSecret)}`,
    `body=${single(input.body)}`,
    `key=${single(input.privateKey.trim())}`,
  ).trimEnd();
}

/** The file has a member a line, and the members of its first partner stand first behind this name. */
const sandboxFile = `file=\${TITIAN_DATA_DIR:-.titian}/sandbox.json
if [ ! -r "$file" ]; then
  echo "No $file${noSandbox}" >&2
  exit 1
fi
field() { printf '%s\\n' "$1" | sed -n "/^ *\\"$2\\": /{s/^[^:]*: \\"\\(.*\\)\\",*\\$/\\1/p;q;}"; }
sandbox=$(cat "$file")
partner=$(printf '%s\\n' "$sandbox" | sed '1,/"partners"/d')
base=$(field "$sandbox" baseUrl)
root=$(field "$sandbox" pathPrefix)/$(field "$sandbox" version)
uri=$root/transfer-intrabank
token_uri=$root/access-token/b2b
partner_id=$(field "$partner" partnerId)
channel_id=$(field "$partner" channelId)
client_key=$(field "$partner" clientKey)
client_secret=$(field "$partner" clientSecret)
key=$(printf '%b' "$(field "$partner" privateKey)")
set -- $(printf '%s\\n' "$partner" | sed -n '/"sourceAccounts"/,/]/s/^ *"\\([0-9]*\\)",*$/\\1/p')
from=$1
to=$2`;

const body = `
number=$(openssl rand -hex 8)
body='{"partnerReferenceNo":"'$number'","amount":{"value":"250000.00","currency":"IDR"},'
body=$body'"sourceAccountNo":"'$from'","beneficiaryAccountNo":"'$to'","transactionDate":"'$(now)'"}'`;

const tokenCall = lines(
  "",
  "get_token() {",
  "  time=$(now)",
  `  curl -s -m 30 "$base$token_uri" \\`,
  `    -H "Content-Type: application/json" -H "X-TIMESTAMP: $time" -H "X-CLIENT-KEY: $client_key" \\`,
  `    -H "X-SIGNATURE: $(rsa "$client_key|$time")" --data-raw '{"grantType":"client_credentials"}'`,
  "}",
  "",
  "ask get_token",
  "case $answer in",
  `  *'${marks.token}'*) ;;`,
  '  *) fail "$token_uri" ;;',
  "esac",
  `token=$(printf '%s' "$answer" | sed 's/.*${marks.token}\\([^"]*\\)".*/\\1/')`,
).trimEnd();

const askOnce = `ask() { answer=$("$1") || answer=; }`;

const askAgain = `ask() {
  for wait in 1 2 4 8 0; do
    answer=$("$1") || answer=
    case $answer in
      '' | '${marks.lost}'*) sleep "$wait" ;;
      *) return ;;
    esac
  done
}`;

const fail = `fail() {
  if [ -n "$answer" ]; then printf '%s\\n' "$answer"; else echo "No answer from $base$1" >&2; fi
  exit 1
}`;

function signature(isToken: boolean, signing: CodeInput["signing"]): string {
  if (isToken) return `rsa "$client_key|$time"`;
  return signing === "symmetric" ? `hmac "POST:$uri:$token:$hash:$time"` : `rsa "POST:$uri:$hash:$time"`;
}

function inDoubleQuotes(text: string): string {
  return text.replace(/[\\"$`]/g, "\\$&");
}

function wordsOf(input: CodeInput): Words {
  return {
    time: "$time",
    signature: "$signature",
    clientKey: "$client_key",
    bearer: "Bearer $token",
    ...textsOf(input, inDoubleQuotes),
    ...(input.values === "sandboxFile" && {
      partnerId: "$partner_id",
      externalId: "$number",
      channelId: "$channel_id",
    }),
  };
}
