/** Goal: what harms the shell it is pasted into is seen, with its place, and what is portable is left alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "./document.ts";
import { checkMarks, shellBlocksOf } from "./shell-blocks.ts";
import { checkShellBlocks, checkShellText } from "./shell-rules.ts";

const found = (text: string) => checkShellText(text).map(({ line, message }) => `${line}: ${message.split(":")[0]}`);
const page = (...lines: string[]): Document => ({ path: "docs/page.md", lines });

const own = "this variable is the shell's own (zsh ties path to PATH)";
const comment = "a comment";
const other = "macOS has another one";

for (const [text, ...faults] of [
  ["path=/v1.0/$1 now=$(date -u +%H)", own],
  ["now=1 path=/v1.0", own],
  ["call() { path=1; }", own],
  ["while read -r path; do echo; done", own],
  ["status=$?", own],
  ["echo a # zsh prints these words, too", comment],
  ["# a line of its own", comment],
  ["#!/bin/sh", comment, "bash and zsh take ! as a line of their history"],
  ["set -eu", "it changes options of the user's shell"],
  ["cd x && setopt glob", "it changes options of the user's shell"],
  ["trap 'rm -f x' EXIT", "it leaves a trap in the user's shell"],
  ["umask 077; ls", "it changes the umask of the user's shell"],
  ["test -f x || exit 1", "it ends the user's shell"],
  ["control calls?refused=true", "an unquoted ? is a pattern"],
  ["titian call -f bulkObject[0].amount=1", "unquoted brackets are a pattern"],
  ["echo =ls", "zsh takes an unquoted = at the start of a word as a command's path"],
  ['echo "Pay now!now"', "bash and zsh take ! as a line of their history"],
  ["openssl genrsa > private-key.pem", "it writes a key into the checkout"],
  ["now=$(date +%Y-%m-%dT%H:%M:%S%:z)", other],
  ['curl -H "X-EXTERNAL-ID: $(date +%s%N)"', other],
  ["date -d tomorrow", other],
  ["base64 -w0", other],
  ["base64 -d", other],
  ["sed -i -E s/a/b/ x", other],
  ["sed -E -i s/a/b/ x", other],
  ["readlink -f x", other],
  ["sha256sum x", other],
  ["timeout 3 ls", other],
  ["echo -n x", other],
  ["pbpaste | cat", "not every system has it"],
] as const) {
  test(`rejected: ${text}`, () => {
    assert.deepEqual(
      found(text),
      faults.map((fault) => `0: ${fault}`),
    );
  });
}

for (const text of [
  'curl \'https://a/b?c=d\' "e?f" -d \'{"a[0]":"#1!"}\' # x'.slice(0, -4),
  'test "$?" -eq 0',
  "uri=/v1.0/$1 time=$(now)",
  'while IFS=, read -r invoice payer; do echo "$payer"; done < invoices.csv',
  "date -u +%Y-%m-%dT%H:%M:%SZ | sed -E 's/.*#(a)/\\1/'",
  "cat <<'PEM'\n# set -e\npath=1 ?\nPEM\necho done",
  "(\nset -eu\ntrap 'ls' EXIT\necho x\n)\n",
  "rsa() {\n  field 'partners[0].privateKey' | {\n    cat /dev/fd/3\n  } 3<&0\n}",
  'echo "$(field \'partners[0].x\')" a#b \\\n  --file "$HOME/x"',
]) {
  test(`accepted: ${text.split("\n", 1)[0]}`, () => assert.deepEqual(found(text), []));
}

test("what stands behind a document in the text, or behind quotes of several lines, is read as code again", () => {
  assert.deepEqual(found("cat <<EOF\n# text\nEOF\nls # comment"), [`3: ${comment}`]);
  assert.deepEqual(found("x='a\n# text\n' # comment"), [`2: ${comment}`]);
  assert.deepEqual(found('x="$(ls # comment\n)"'), [`0: ${comment}`]);
});

test("blocks are found with their place, their mark and its reason", () => {
  const document = page(
    "```sh",
    "npm start",
    "```",
    "",
    "```sh unrun: it takes hours",
    "npm test",
    "```",
    "```ts",
    "```",
  );
  assert.deepEqual(
    shellBlocksOf(document).map(({ line, position, text, mark, reason }) => [line, position, text, mark, reason]),
    [
      [2, 1, "npm start\n", undefined, ""],
      [6, 2, "npm test\n", "unrun", "it takes hours"],
    ],
  );
  assert.deepEqual(checkShellBlocks([page("# Title", "```bash", "ls", "ls -l # long", "```")])[0]?.line, 4);
});

test("a mark says what is so, and a placeholder is marked", () => {
  const marks = (opened: string, text: string) =>
    checkMarks([page(opened, text, "```")]).map(({ line, message }) => `${line}: ${message.split(",")[0]}`);
  assert.deepEqual(marks("```sh", "ls"), []);
  assert.deepEqual(marks("```sh placeholder", "titian hold show <hold>"), []);
  assert.deepEqual(marks("```sh unrun: it takes many hours", "npm test"), []);
  assert.deepEqual(marks("```sh", "titian hold show <hold>"), [
    "2: the block has a placeholder: open it by ```sh placeholder",
  ]);
  assert.deepEqual(marks("```sh", "DATABASE_URL=postgres://… titian"), [
    "2: the block has a placeholder: open it by ```sh placeholder",
  ]);
  assert.deepEqual(marks("```sh placeholder", "ls < file"), ["2: the block is marked as one with a placeholder"]);
  assert.deepEqual(marks("```sh unrun: no", "ls"), ["2: the mark unrun needs a reason"]);
  assert.equal(marks("```bash", "ls").length, 1);
  assert.equal(marks("```sh skip", "ls").length, 1);
});
