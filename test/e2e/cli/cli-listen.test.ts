/** `titian listen` and `titian trigger` against a running sandbox: notifications on a developer's machine, end to end. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { createMemoryStore, createReceiver } from "@titian/client";
import { eventually } from "../../support/black-box/answers.ts";
import { assertSigned, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { type CliRun, runCli } from "../../support/cli/run-cli.ts";
import { startListener } from "../../support/cli/start-listener.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, dataDir, file, cells } = sandbox;
const root = resolve(import.meta.dirname, "../../..");
// A Saturday.
await control.call("POST", "clock", { set: "2027-11-20T10:00:00+07:00" });

const run = (line: string, env = {}): Promise<CliRun> =>
  runCli(line.split(" "), { env: { TITIAN_DATA_DIR: dataDir, ...cells, ...env } });
const addressOf = async (partnerId: string) =>
  (await control.call<{ readonly url: string | null }>("GET", `partners/${partnerId}/notification-address`)).url;
const setAddress = (url: string | null) => control.call("PUT", "partners/alpha/notification-address", { url });

interface Triggered {
  readonly referenceNo: string;
  readonly clockMovedTo: string | null;
  readonly notifications: readonly { readonly status: string; readonly state: string }[];
}

async function trigger(line: string, exitCode = 0): Promise<Triggered> {
  const ran = await run(`trigger ${line} --json`);
  assert.equal(ran.exitCode, exitCode, ran.stderr);
  const triggered: Triggered = JSON.parse(ran.stdout);
  return triggered;
}

test("without a listener a notification is kept; a closed rail is opened by the clock, and that is said", async () => {
  const kept = await run("trigger rtgs-settled --keep-clock");
  assert.equal(kept.exitCode, 1);
  assert.match(kept.stderr, /rtgs is closed at 2027-11-20.*until 2027-11-22T06:30:00\+07:00.*nothing was sent/);
  const moved = await run("trigger rtgs-settled");
  assert.equal(moved.exitCode, 0, moved.stderr);
  assert.match(moved.stderr, /clock is moved to 2027-11-22T06:30:00\+07:00\. It never moves back/);
  assert.match(moved.stdout, /^notification +76 00 settled: kept/m);
  assert.match(moved.stderr, /titian listen --partner alpha\n {2}titian notification replay --reference \w{26} --yes/);
  assert.equal((await trigger("skn-settled")).clockMovedTo, null);
});

test("hints name the command as it was run: installed, in a checkout, by npx", async () => {
  for (const [script, command] of [
    ["", "titian"],
    ["titian", "npm run -s titian --"],
    ["npx", "npx titian"],
  ] as const) {
    const { stderr } = await run("trigger none", script === "" ? {} : { npm_lifecycle_event: script });
    assert.ok(stderr.includes(` \`${command} trigger\` lists them.`), stderr);
  }
});

// event, its notifications: service and status, or what is said of a bulk
const events: readonly (readonly [string, readonly string[]])[] = [
  ["rtgs-settled", ["76 00"]],
  ["rtgs-rejected", ["76 06"]],
  ["rtgs-returned", ["76 00", "76 04"]],
  ["skn-settled", ["75 00"]],
  ["skn-rejected", ["75 06"]],
  ["skn-returned", ["75 00", "75 04"]],
  ["bulk-settled", ["21 3 settled"]],
  ["bulk-mixed", ["21 1 settled, 2 rejected"]],
];

test("every event arrives, verified and accepted, also signed with client secret and token", async () => {
  await using alpha = await startListener(dataDir);
  await using beta = await startListener(dataDir, "--json --partner beta");
  await control.call("PUT", "partners/beta/settings", { notificationSigning: "symmetric" });
  for (const [event, expected] of events) {
    const before = (await alpha.until(0)).length;
    const { referenceNo, notifications } = await trigger(event);
    assert.ok(
      notifications.every(({ state }) => state === "delivered"),
      event,
    );
    const arrived = (await alpha.until(before + expected.length)).slice(before);
    assert.deepEqual(
      arrived.map(({ serviceCode, status, meaning }) => `${serviceCode} ${status ?? meaning}`),
      expected,
    );
    for (const line of arrived) {
      assert.deepEqual([line.referenceNo, line.verification.verified, line.verification.mode], [referenceNo, true, 2]);
      assert.deepEqual([line.reply.httpStatus, line.outcome?.state, line.copyOf], [200, "delivered", null]);
    }
  }
  await trigger("rtgs-settled --partner beta --amount 100000001");
  const [token, notification] = await beta.until(2);
  assert.deepEqual([token?.event, token?.verification.verified, token?.reply.responseCode], ["token", true, "2007300"]);
  assert.deepEqual([notification?.verification.mode, notification?.outcome?.state], [1, "delivered"]);
  assert.ok(!beta.output().includes("Bearer"));
});

test("a listener that has the base of what it forwards to verifies the service's path, where that is signed", async () => {
  await using app = await startEndpoint("/shop?tenant=7");
  const sign = (part: string) => control.call("PUT", "partners/alpha/settings", { notificationSignedPath: part });
  await sign("service");
  await using alpha = await startListener(dataDir, `--json --partner alpha --forward-to ${app.url}`);
  await trigger("skn-settled");
  const [line] = await alpha.until(1);
  await sign("whole");
  assert.equal((await app.until(1)).path, "/shop/v1.0/transfer-skn/notify?tenant=7");
  assert.deepEqual([line?.verification.verified, line?.outcome?.state], [true, "delivered"]);
});

test("lines for a person: what arrived, how it verifies, the reply; saved, with the command that verifies it; a replay is a copy; a forgery cannot steer the terminal", async () => {
  const directory = mkdtempSync(join(tmpdir(), "titian-saved-"));
  after(() => rmSync(directory, { recursive: true }));
  await using listener = await startListener(dataDir, `--partner alpha --save ${directory}`);
  const { referenceNo } = await trigger("rtgs-settled");
  assert.equal((await run(`notification replay --reference ${referenceNo} --yes`)).exitCode, 0);
  const forged = {
    method: "POST",
    headers: { "X-PARTNER-ID": "gamma" },
    body: '{"originalReferenceNo":"\\u001b[31mred"}',
  };
  assert.equal((await fetch(`${listener.address}/v1.0/transfer-skn/notify`, forged)).status, 400);
  const [missing, copied] = ["not verified: the header", "arrived 2 times"];
  const text = await eventually(async () => {
    const output = listener.output();
    return output.includes(missing) && output.includes(copied) && output;
  });
  assert.match(text, new RegExp(`^\\d\\d:\\d\\d:\\d\\d  76 RTGS 00 settled ${referenceNo} 150000000\\.00 IDR$`, "m"));
  assert.match(text, /^ {10}verified: mode 2, provider's key, timestamp -?\d s old, partner alpha$/m);
  assert.match(text, /^ {10}replied 200 2007600 in \d+ ms: accepted$/m);
  assert.match(text, /^ {10}copy of \d\d:\d\d:\d\d, arrived 2 times$/m);
  assert.match(text, /75 SKNBI \[31mred$/m);
  const said = execFileSync("sh", ["-c", /npx node .*/.exec(text)?.[0] ?? ""], { cwd: root, encoding: "utf8" });
  assert.equal(said, `verified: 76 ${referenceNo} 00\n`);
  assert.match(readFileSync(join(directory, "1.headers"), "utf8"), /^X-SIGNATURE: \S{344}$/im);
});

test("another partner's genuine notification, sent on with beta's id: the line says whose it is, and it is rejected", async () => {
  await using app = await startEndpoint();
  {
    await using alpha = await startListener(dataDir, `--json --partner alpha --forward-to ${app.url}`);
    await trigger("skn-settled");
    const [line] = await alpha.until(1);
    assert.deepEqual([line?.verification.verified, line?.verification.partnerId], [true, "alpha"]);
  }
  const { path, headers, text } = await app.until(1);
  await using beta = await startListener(dataDir, "--partner beta");
  const { host: _, connection: __, ...sent } = headers as Readonly<Record<string, string>>;
  const init = { method: "POST", headers: { ...sent, "x-partner-id": "beta" }, body: text };
  assert.equal((await fetch(`${beta.address}${path}`, init)).status, 401);
  const line = "not verified: additionalInfo.partnerId is alpha, not beta: it is another partner's notification";
  await eventually(async () => beta.output().includes(line));
});

test("what is forwarded verifies in the developer's program: same path, query, headers and bytes, in both modes", async () => {
  await using app = await startEndpoint("/hooks?tenant=7");
  await using listener = await startListener(dataDir, `--json --partner beta --forward-to ${app.url}`);
  await control.call("PUT", "partners/beta/settings", { notificationSigning: "asymmetric" });
  await trigger("bulk-mixed --partner beta");
  const bulk = await app.until(1);
  assert.equal(bulk.path, "/hooks/v1.0/transfer-interbank-bulk/notify?tenant=7");
  assertSigned(bulk, file);
  assert.equal(bulk.headers["x-partner-id"], "beta");

  await control.call("PUT", "partners/beta/settings", { notificationSigning: "symmetric" });
  await trigger("skn-settled --partner beta");
  assertSigned(await app.until(2), file, file.partners[1]?.clientSecret);
  const lines = await listener.until(3);
  assert.deepEqual(
    lines.map(({ event, verification }) => [event, verification.mode, verification.failures]),
    [
      ["notification", 2, []],
      ["token", 1, []],
      ["notification", 1, []],
    ],
  );
});

test("the SDK's receiver behind it accepts; what it rejects is repeated, and goes back as it was answered", async (context) => {
  let isFailing = true;
  const receiver = createReceiver({
    partnerId: "alpha",
    keys: { mode: "asymmetric", providerPublicKeys: [file.provider.publicKey] },
    store: createMemoryStore(),
    on: {
      rtgs: () => {
        if (isFailing) throw new Error("a fault of the program");
      },
    },
  });
  const app = createServer(receiver.nodeListener).listen(0, "127.0.0.1");
  context.after(() => app.close());
  await once(app, "listening");
  await using listener = await startListener(dataDir, `--json --forward-to ${urlOf(app.address())}`);
  await trigger("rtgs-settled", 1);
  const [failed] = await listener.until(1);
  assert.deepEqual([failed?.reply.httpStatus, failed?.reply.responseCode], [500, "5007600"]);
  assert.deepEqual([failed?.outcome?.state, failed?.outcome?.attempt], ["waiting", 1]);
  assert.ok([10, 11].includes(failed?.outcome?.repeatedInSeconds ?? 0), JSON.stringify(failed?.outcome));
  isFailing = false;
  await control.advance(11);
  const again = (await listener.until(2))[1];
  assert.deepEqual([again?.reply.responseCode, again?.outcome], ["2007600", { state: "delivered", attempt: 2 }]);
  assert.notEqual(again?.copyOf, null);
});

test("while the program is down the sender is answered 502 and repeats it, and both commands say why", async () => {
  const app = createServer().listen(0, "127.0.0.1");
  await once(app, "listening");
  const url = urlOf(app.address());
  app.close();
  await using listener = await startListener(dataDir, `--json --forward-to ${url}`);
  const ran = await run("trigger rtgs-returned");
  assert.equal(ran.exitCode, 1);
  assert.match(ran.stdout, /76 00 settled: attempt 1 at http:\S+ failed; repeated in 1[01] s\n.*HTTP 502/);
  assert.match(ran.stdout, /titian listen: nothing listens at http:\S+: is your program running\?/);
  assert.match(ran.stdout, /76 04 returned: not sent yet: it waits for the one before it/);
  const [line] = await listener.until(1);
  assert.match(line?.reply.failure ?? "", /nothing listens at/);
  assert.deepEqual([line?.verification.verified, line?.outcome?.state], [true, "waiting"]);
});

test("the address from before is restored, also by the listener after one that was killed; another one set meanwhile stays", async () => {
  const own = "http://127.0.0.1:9/own?x=1";
  await setAddress(own);
  const first = await startListener(dataDir);
  assert.equal(await addressOf("alpha"), first.address);
  const second = await run("listen");
  assert.equal(second.exitCode, 1);
  assert.match(second.stderr, /Another listener receives the notifications of alpha/);
  const { exitCode, stderr } = await first.stop("SIGINT");
  assert.deepEqual([exitCode, await addressOf("alpha")], [0, own], stderr);
  assert.match(stderr, /notification address of alpha is again http:\/\/127\.0\.0\.1:9\/own\?x=1\./);

  const killed = await startListener(dataDir);
  await killed.stop("SIGKILL");
  assert.equal(await addressOf("alpha"), killed.address);
  const next = await startListener(dataDir);
  await next.stop("SIGTERM");
  assert.equal(await addressOf("alpha"), own);

  const last = await startListener(dataDir);
  await setAddress(null);
  assert.match((await last.stop("SIGINT")).stderr, /was changed meanwhile, and stays none/);
  assert.equal(await addressOf("alpha"), null);
});

const production = { DATABASE_URL: "postgres://bank.example/ledger" };
const nowhere = { TITIAN_DATA_DIR: "/nowhere" };
const servicePort = new URL(file.baseUrl).port;
const wrong: readonly (readonly [string, number, RegExp, object?])[] = [
  [
    "listen --partner alhpa",
    2,
    /no partner alhpa in the sandbox\. Did you mean alpha\? Choose one of: alpha, beta, gamma/,
  ],
  [
    "listen --forward-to localhost:3000/hooks",
    2,
    /not an http or https URL.*Did you mean http:\/\/localhost:3000\/hooks\?/,
  ],
  ["listen --forward-to ftp://a", 2, /--forward-to ftp:\/\/a is not an http or https URL/],
  ["listen --forward-to http://localhost:4000 --port 4000", 2, /is the port of --forward-to/],
  [`listen --port ${servicePort}`, 2, /--port \d+ is in use by another program/],
  ["listen --save /dev/null/hooks", 2, /--save \/dev\/null\/hooks cannot be written/],
  ["listen --port 70000", 2, /--port 70000 is not a port number/],
  ["listen", 2, /for the sandbox only: DATABASE_URL is set/, production],
  ["listen", 1, /cannot be read: is the sandbox running\? Start it with `npm start`/, nowhere],
  ["trigger rtgs-setled", 2, /no event rtgs-setled\. Did you mean rtgs-settled\?/],
  ["trigger rtgs-settled --amount ten", 2, /--amount ten is not an amount in IDR/],
  ["trigger rtgs-settled --amount 1000.00", 1, /Invalid Amount/],
  ["trigger rtgs-settled", 2, /for the sandbox only: DATABASE_URL is set/, production],
];
for (const [line, exitCode, message, env] of wrong) {
  test(`titian ${line}${env ? ` with ${Object.keys(env)}` : ""}: is rejected with the reason`, async () => {
    const ran = await run(line, env);
    assert.equal(ran.exitCode, exitCode, ran.stderr);
    assert.match(ran.stderr, message);
  });
}

test("titian trigger lists the events", async () => {
  const { exitCode, stdout } = await run("trigger");
  assert.equal(exitCode, 0);
  for (const [event] of events) assert.match(stdout, new RegExp(`^${event} `, "m"));
});

function urlOf(address: AddressInfo | string | null): string {
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}`;
}
