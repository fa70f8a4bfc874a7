import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { readCurl } from "./read-curl.ts";

function directoryOf(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), "titian-curl-"));
  t.after(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, "saved");
  mkdirSync(join(directory, "bodies"), { recursive: true });
  writeFileSync(join(parent, "secret.txt"), "root:secret");
  writeFileSync(join(directory, "body.json"), '{"a":\n1}');
  writeFileSync(join(directory, "bodies", "other.json"), "{}");
  writeFileSync(join(directory, "headers"), "X-PARTNER-ID: alpha\r\nCHANNEL-ID: 95221\n");
  return directory;
}

const bodyOf = (options: string, directory: string | undefined) =>
  Buffer.from(readCurl(`curl https://titian.example/v1.0/x ${options}`, directory).body ?? "").toString();

test("files beside the saved command are read as curl reads them", (t) => {
  const directory = directoryOf(t);
  assert.equal(bodyOf("--data-binary @body.json", directory), '{"a":\n1}');
  assert.equal(bodyOf("-d @body.json", directory), '{"a":1}');
  assert.equal(bodyOf("--json @./bodies/other.json", directory), "{}");
  assert.equal(
    bodyOf("--data-urlencode a@body.json --data-urlencode b=1+1", directory),
    "a=%7B%22a%22%3A%0A1%7D&b=1%2B1",
  );
  assert.equal(bodyOf("--data-raw @body.json", directory), "@body.json");
  const { rawHeaders } = readCurl("curl https://titian.example/x -H @headers", directory);
  assert.deepEqual(rawHeaders.slice(-4), ["X-PARTNER-ID", "alpha", "CHANNEL-ID", "95221"]);
});

test("no other file is opened, and the error says what to do", (t) => {
  const directory = directoryOf(t);
  symlinkSync("../secret.txt", join(directory, "link"));
  symlinkSync("..", join(directory, "up"));
  symlinkSync("/dev/zero", join(directory, "zero"));
  execFileSync("mkfifo", [join(directory, "fifo")]);
  writeFileSync(join(directory, "large"), "");
  truncateSync(join(directory, "large"), 8_388_609);
  const outside = /not beside the saved command.*--body/;
  for (const [name, expected] of [
    ["/etc/passwd", outside],
    ["/dev/zero", outside],
    ["../secret.txt", outside],
    ["bodies/../../secret.txt", outside],
    ["link", outside],
    ["up/secret.txt", outside],
    ["zero", outside],
    ["fifo", /no regular file/],
    ["bodies", /no regular file/],
    ["large", /8388609 bytes/],
    ["absent", /cannot be read/],
    ["-", /standard input.*--body/],
  ] as const) {
    for (const option of ["-d", "--data-binary", "--data-ascii", "--json", "-H", "--data-urlencode"]) {
      assert.throws(() => bodyOf(`${option} @${name}`, directory), expected, `${option} @${name}`);
    }
  }
  assert.throws(() => bodyOf("-d @body.json", undefined), /standard input/);
  for (const option of ["-K", "--config", "-F", "-T", "--upload-file"]) {
    assert.throws(() => bodyOf(`${option} body.json`, directory), /is not read/, option);
  }
  assert.equal(bodyOf("--cacert /etc/passwd --cert /dev/zero --key ../secret.txt -o /tmp/out -d x", directory), "x");
});
