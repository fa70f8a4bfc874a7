#!/bin/sh
# Run as root in a minimal Debian by `minimal-root.sh`: the two first commands of the README, calls, and the tests of processes
# and installs, as a user; then the sandbox as root, as in most containers.
set -eu

fail() {
  echo "$1" >&2
  exit 1
}

if command -v ps >/dev/null; then fail "This root has ps: it is not minimal."; fi
cd /home/user/titian
echo "Debian $(cat /etc/debian_version), Node $(node --version), npm $(npm --version), no ps"

# Runs the rest as a user without rights, in place of this shell.
become_user() {
  exec setpriv --reuid=user --regid=user --init-groups env HOME=/home/user "$@"
}

# $1: data directory, $2: the response code that is due, then the operation and its fields.
call() {
  data=$1 code=$2
  shift 2
  TITIAN_DATA_DIR="$data" npm run -s titian -- call "$@" >/tmp/call 2>&1 || fail "$1 failed: $(cat /tmp/call)"
  grep -q "$code" /tmp/call || fail "$1 was not answered $code: $(cat /tmp/call)"
}

# Starts the sandbox by npm, calls it, and stops it. $1: who starts it, $2: its data directory.
run_sandbox() {
  log=/tmp/$1.log
  if [ "$1" = user ]; then
    (become_user PORT=0 TITIAN_DATA_DIR="$2" npm start) >"$log" 2>&1 &
  else
    HOME=/root PORT=0 TITIAN_DATA_DIR="$2" npm start >"$log" 2>&1 &
  fi
  npm=$!
  seconds=0
  until grep -q '^Titian is ready' "$log"; do
    [ $seconds -lt 400 ] || fail "npm start was not ready within $seconds s: $(cat "$log")"
    kill -0 $npm 2>/dev/null || fail "npm start ended: $(cat "$log")"
    sleep 1
    seconds=$((seconds + 1))
  done
  echo "npm start as $1: ready after $seconds s"
  call "$2" 2001500 internalAccountInquiry --field beneficiaryAccountNo=1001000001
  call "$2" 2001700 intrabankTransfer --field sourceAccountNo=1001000001 --field beneficiaryAccountNo=1001000002 \
    --field amount.value=1.00 --field amount.currency=IDR
  kill -TERM $npm
  wait $npm || true
  seconds=0
  while left=$(find_left) && [ -n "$left" ]; do
    [ $seconds -lt 30 ] || fail "processes are left 30 s after the sandbox was stopped: $left"
    sleep 1
    seconds=$((seconds + 1))
  done
  echo "npm start as $1: called and stopped, no process left"
}

# Living processes of PostgreSQL or Node; the ended ones that nobody collects have no command line.
find_left() {
  for directory in /proc/[0-9]*; do
    command=$(tr '\0' ' ' <"$directory/cmdline" 2>/dev/null) || continue
    case $command in *postgres* | *titian* | *npm*) case $command in *minimal-root*) ;; *) echo "${directory#/proc/} $command" ;; esac ;; esac
  done
}

run_sandbox user /home/user/sandbox
run_sandbox root /root/sandbox

become_user npm test -- line-writer run-files home-lock watch-parent ensure-installed e2e/lifetime
