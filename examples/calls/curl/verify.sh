#!/bin/sh
# sh verify.sh <public-key.pem> <path> <timestamp> <signature> < body
# The signature alone. That the time is recent, and additionalInfo.partnerId yours, is looked at as in the programs beside.
set -eu
if [ $# -ne 4 ]; then
  echo "Usage: verify.sh <public-key.pem> <path> <timestamp> <signature> < body" >&2
  exit 1
fi
hash=$(openssl dgst -sha256 -r | cut -d ' ' -f 1)
signature=$(mktemp)
trap 'rm -f "$signature"' EXIT
printf '%s' "$4" | openssl base64 -d -A > "$signature"
printf '%s' "POST:$2:$hash:$3" | openssl dgst -sha256 -verify "$1" -signature "$signature"
