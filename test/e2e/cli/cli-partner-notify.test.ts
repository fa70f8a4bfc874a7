/** `titian partner notify --test`: a partner's receiver is tried without a payment, and the reason is told when it fails. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { assertSigned, type Reply, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { cellsOf } from "../../support/cli/cli-fixture.ts";
import { runCli } from "../../support/cli/run-cli.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const sandbox = stack.use(await startSandbox());
const { control, dataDir, file } = sandbox;
const endpoint = stack.use(await startEndpoint("/snap?tenant=s3cret"));
const probe = (options = "--test") =>
  runCli(["partner", "notify", "alpha", ...options.split(" ").filter((text) => text !== "")], {
    env: { TITIAN_DATA_DIR: dataDir },
  });

test("without an address it says how to set one", async () => {
  const { exitCode, stderr } = await probe();
  assert.equal(exitCode, 1);
  assert.match(stderr, /alpha has no notification address.*titian partner change alpha/);
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
});

for (const [service, path] of [
  ["76", "transfer-rtgs"],
  ["75", "transfer-skn"],
  ["21", "transfer-interbank-bulk"],
]) {
  test(`a test notification ${service} is signed and sent as a real one, shown, and recorded nowhere`, async () => {
    const ran = await probe(`--service ${service}`);
    assert.equal(ran.exitCode, 0, ran.stdout + ran.stderr);
    const got = endpoint.received.at(-1) ?? assert.fail();
    assert.equal(got.path, `/snap/v1.0/${path}/notify?tenant=s3cret`);
    assertSigned(got, file);
    assert.match(got.text, /"TEST[0-9A-Z]{22}"/);
    const cells = cellsOf(ran);
    assert.equal(cells[0], `Test notification ${service} to alpha: accepted`);
    assert.ok(cells.includes(`target | ${new URL(endpoint.url).origin}/snap/v1.0/${path}/notify?tenant=…`), ran.stdout);
    assert.match(
      ran.stdout,
      new RegExp(`\\nstring to sign  POST:/snap/v1\\.0/${path}/notify\\?tenant=…:[0-9a-f]{64}:20`),
    );
    assert.doesNotMatch(ran.stdout + ran.stderr, /s3cret/);
    assert.deepEqual((await control.call<{ notifications: unknown[] }>("GET", "notifications")).notifications, []);
  });
}

test("in mode 1 a token is obtained, and not shown", async () => {
  await control.call("PUT", "partners/alpha/settings", { notificationSigning: "symmetric" });
  const { exitCode, stdout } = await probe("--json");
  await control.call("PUT", "partners/alpha/settings", { notificationSigning: "asymmetric" });
  assert.equal(exitCode, 0, stdout);
  const got = endpoint.received.at(-1) ?? assert.fail();
  assertSigned(got, file, sandbox.caller("alpha").partner.clientSecret);
  const { accepted, httpStatus, responseCode, externalId, body, stringToSign, advice } = JSON.parse(stdout);
  assert.deepEqual(
    [accepted, httpStatus, responseCode, externalId, body, advice],
    [true, 200, "2000000", got.headers["x-external-id"], got.text, null],
  );
  assert.match(stringToSign, /notify\?tenant=…:\(token of \d+ characters\):[0-9a-f]{64}:20/);
  assert.doesNotMatch(stdout, new RegExp(`${got.headers["authorization"]?.slice(7)}|s3cret`));
});

const failing: readonly (readonly [string, Reply, RegExp])[] = [
  ["a path where nothing is", { status: 404, body: "<html>" }, /Nothing is at this path/],
  ["an unknown reference", { status: 404, body: { responseCode: "4047601" } }, /references that begin with TEST/],
  ["a redirect", { status: 302, headers: { Location: "/elsewhere" } }, /Redirects are not followed/],
  ["garbage", { body: "<html>\u001b[31m</html>" }, /no responseCode of seven digits/],
  ["an error", { status: 500, body: { responseCode: "5007600" } }, /Its log has the reason/],
  ["a reply that is too long", { body: "x".repeat(70_000) }, /more than 64 KiB/],
  ["a closed connection", { misbehave: (response) => void response.destroy() }, /closed before the reply/],
  ["no reply", { afterMs: 3_000 }, /No complete reply within/],
];
for (const [name, reply, advice] of failing) {
  test(`${name}: it fails, and says what to do`, async () => {
    endpoint.replies.push(reply);
    const { exitCode, stdout } = await probe();
    assert.equal(exitCode, 1);
    assert.match(stdout, /^Test notification 76 to alpha: not accepted/);
    assert.match(stdout, advice);
    assert.ok(!stdout.includes("\u001b"));
  });
}

test("another URL: nothing that listens, no TLS, no token", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  silent.close();
  assert.match((await probe(`--url http://127.0.0.1:${port}`)).stdout, /Nothing listens there/);
  assert.match((await probe(`--url ${endpoint.url.replace("http:", "https:")}`)).stdout, /The TLS connection failed/);
  await control.call("PUT", "partners/alpha/settings", { notificationSigning: "symmetric" });
  const noToken = stack.use(await startEndpoint("", { issuesTokens: false }));
  const { exitCode, stdout } = await probe(`--url ${noToken.url}`);
  assert.equal(exitCode, 1);
  assert.match(stdout, /string to sign {2}nothing was signed[^]*No token was issued \(mode 1\)/);
});

for (const [options, message] of [
  ["--url ftp://a.example", /--url ftp:\/\/a\.example is not an http or https URL/],
  ["--service 22", /Allowed choices are 76, 75, 21/],
] as const) {
  test(`partner notify ${options}: is rejected with the reason`, async () => {
    const { exitCode, stderr } = await probe(options);
    assert.equal(exitCode, 2);
    assert.match(stderr, message);
  });
}
