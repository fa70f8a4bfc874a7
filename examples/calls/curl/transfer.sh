#!/bin/sh
# Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.
# It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.
(
set -eu
file=${TITIAN_DATA_DIR:-.titian}/sandbox.json
if [ ! -r "$file" ]; then
  echo "No $file here: run it in the repository's root, with the sandbox started (npm start)" >&2
  exit 1
fi
field() { printf '%s\n' "$1" | sed -n "/^ *\"$2\": /{s/^[^:]*: \"\(.*\)\",*\$/\1/p;q;}"; }
sandbox=$(cat "$file")
partner=$(printf '%s\n' "$sandbox" | sed '1,/"partners"/d')
base=$(field "$sandbox" baseUrl)
root=$(field "$sandbox" pathPrefix)/$(field "$sandbox" version)
uri=$root/transfer-intrabank
token_uri=$root/access-token/b2b
partner_id=$(field "$partner" partnerId)
channel_id=$(field "$partner" channelId)
client_key=$(field "$partner" clientKey)
client_secret=$(field "$partner" clientSecret)
key=$(printf '%b' "$(field "$partner" privateKey)")
set -- $(printf '%s\n' "$partner" | sed -n '/"sourceAccounts"/,/]/s/^ *"\([0-9]*\)",*$/\1/p')
from=$1
to=$2

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
rsa() {
  printf '%s\n' "$key" | {
    printf '%s' "$1" | openssl dgst -sha256 -sign /dev/fd/3 | openssl base64 -A
  } 3<&0
}
hmac() { printf '%s' "$1" | openssl dgst -sha512 -hmac "$client_secret" -binary | openssl base64 -A; }
ask() {
  for wait in 1 2 4 8 0; do
    answer=$("$1") || answer=
    case $answer in
      '' | '{"responseCode":"5'*) sleep "$wait" ;;
      *) return ;;
    esac
  done
}
fail() {
  if [ -n "$answer" ]; then printf '%s\n' "$answer"; else echo "No answer from $base$1" >&2; fi
  exit 1
}

number=$(openssl rand -hex 8)
body='{"partnerReferenceNo":"'$number'","amount":{"value":"250000.00","currency":"IDR"},'
body=$body'"sourceAccountNo":"'$from'","beneficiaryAccountNo":"'$to'","transactionDate":"'$(now)'"}'

get_token() {
  time=$(now)
  curl -s -m 30 "$base$token_uri" \
    -H "Content-Type: application/json" -H "X-TIMESTAMP: $time" -H "X-CLIENT-KEY: $client_key" \
    -H "X-SIGNATURE: $(rsa "$client_key|$time")" --data-raw '{"grantType":"client_credentials"}'
}

ask get_token
case $answer in
  *'"accessToken":"'*) ;;
  *) fail "$token_uri" ;;
esac
token=$(printf '%s' "$answer" | sed 's/.*"accessToken":"\([^"]*\)".*/\1/')

call() {
  time=$(now)
  hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
  signature=$(hmac "POST:$uri:$token:$hash:$time")
  curl -s -m 30 "$base$uri" \
    -H "Content-Type: application/json" \
    -H "X-TIMESTAMP: $time" \
    -H "X-SIGNATURE: $signature" \
    -H "Authorization: Bearer $token" \
    -H "X-PARTNER-ID: $partner_id" \
    -H "X-EXTERNAL-ID: $number" \
    -H "CHANNEL-ID: $channel_id" \
    --data-raw "$body"
}

ask call
case $answer in
  *'"responseCode":"2'*) printf '%s\n' "$answer" ;;
  *) fail "$uri" ;;
esac
)
