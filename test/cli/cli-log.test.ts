/** `titian log`, `titian sandbox fault` and `clock`, `titian rail`, and the lines that `titian serve` prints of calls, beside a running sandbox. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { waitUntil } from "@titian/embedded-postgres";
import { request } from "undici";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { bareEnvironment } from "../support/cli/bare-environment.ts";
import { programFile } from "../support/cli/program.ts";
import { runCli } from "../support/cli/run-cli.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { dataDir, file } = sandbox;
const alpha = sandbox.caller("alpha");
const path = "account-inquiry-internal";
const inquiry = { beneficiaryAccountNo: file.accounts[0]?.accountNo ?? "" };
const run = (line: string) => runCli(line.split(" "), { env: { TITIAN_DATA_DIR: dataDir } });

async function refuse(): Promise<string> {
  const answer = await alpha.call(path, inquiry, { signedBody: "{}" });
  return String(answer.headers["x-correlation-id"]);
}

test("titian log shows the newest calls, oldest first, and why some were refused", async () => {
  const accepted = String((await alpha.call(path, inquiry)).headers["x-correlation-id"]);
  const id = await refuse();
  const { exitCode, stdout } = await run("log --partner alpha --limit 2");
  assert.equal(exitCode, 0);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 3, stdout);
  assert.match(
    lines[0] ?? "",
    /^\d\d:\d\d:\d\d\.\d{3}  alpha +15 internalAccountInquiry +2001500 Successful  [\d.]+ ms  [0-9a-f]{16}$/,
  );
  assert.match(lines[1] ?? "", /4011500 Unauthorized\. \[Signature\]/);
  assert.match(lines[2] ?? "", /body/);
  assert.ok(lines[0]?.endsWith(accepted) && lines[1]?.endsWith(id), stdout);
  const json = (await run("log --refused --json")).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    json.map((call) => [call.event, call.id, call.isRefused]),
    [["call", id, true]],
  );
});

test("text that callers send cannot control the terminal", async () => {
  const headers = { "X-PARTNER-ID": "a\u009b2Jb" };
  await (await request(`${file.baseUrl}/v1.0/nothing`, { method: "POST", headers, body: "" })).body.dump();
  const { stdout } = await run("log --refused --limit 1");
  assert.match(stdout, /a 2Jb +POST \/v1\.0\/nothing +4040000 Unknown Path/);
  // eslint: line breaks are the only control characters
  assert.doesNotMatch(stdout.replaceAll("\n", ""), /\p{Cc}/u);
});

test("titian sandbox clock shows the time and moves it forward alone", async () => {
  const show = async (line: string) => {
    const { exitCode, stdout, stderr } = await run(line);
    assert.equal(exitCode, 0, stderr);
    return Date.parse(stdout.trim());
  };
  const start = await show("sandbox clock");
  const advanced = await show("sandbox clock advance 90s");
  assert.ok(advanced - start >= 90_000 && advanced - start < 150_000, `${start}, ${advanced}`);
  const target = new Date(advanced + 60_000).toISOString();
  assert.equal((await show(`sandbox clock to ${target}`)) >= advanced + 59_000, true);
  const { now, pending } = JSON.parse((await run("sandbox clock --json")).stdout);
  assert.ok(Date.parse(now) > advanced);
  assert.equal(pending, 0);
  for (const [line, code, message] of [
    ["sandbox clock advance 1w", 2, /^advance 1w is not a duration: write days/],
    ["sandbox clock to tomorrow", 2, /^to tomorrow is not a time: write ISO 8601/],
    ["sandbox clock to 2020-01-01T00:00:00+07:00", 2, /Time only moves forward, and now is 20/],
    ["sandbox clock forward", 2, /too many arguments/],
  ] as const) {
    const { exitCode, stderr } = await run(line);
    assert.equal(exitCode, code, line);
    assert.match(stderr, message, line);
  }
});

test("titian rail puts a simulated rail into each of its modes, and settles it", async () => {
  const modeOf = async () => {
    const { rails } = JSON.parse((await run("rails list --json")).stdout) as { rails: Record<string, string>[] };
    return rails.find(({ rail }) => rail === "skn")?.["mode"];
  };
  for (const mode of ["slow", "limbo", "down", "normal"]) {
    const { exitCode, stdout, stderr } = await run(`rail ${mode} skn`);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, new RegExp(`^The rail skn is in the mode ${mode}: it`));
    assert.equal(await modeOf(), mode);
  }
  assert.deepEqual(JSON.parse((await run("rails slow rtgs --json")).stdout), { rail: "rtgs", mode: "slow" });
  assert.equal((await run("rails normal rtgs")).exitCode, 0);
  assert.equal((await run("rail settle skn")).stdout, "Settled: 0 that waited on the rail skn.\n");
  const { exitCode, stderr } = await run("rail slow bifast");
  assert.equal(exitCode, 2);
  assert.match(stderr, /Allowed choices are interbank, rtgs, skn/);
});

test("titian log --follow goes on with the calls that follow, and outlives a restart of the sandbox", async () => {
  const args = ["--conditions=source", programFile, "log", "-f", "--refused", "--json", "--limit", "1"];
  const child = spawn(process.execPath, args, { env: { ...bareEnvironment(), TITIAN_DATA_DIR: dataDir } });
  after(() => child.kill());
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await once(child.stdout, "data");
  const has = (id: string) =>
    waitUntil(() => lines.find((line) => line.includes(id)), { timeoutMs: 20_000, everyMs: 50 });
  assert.ok(await has(await refuse()));
  const port = new URL(file.baseUrl).port;
  await sandbox.service.end("SIGTERM");
  await using _again = await sandbox.startNode({ PORT: port });
  assert.ok(await has(await refuse()), "no call after the restart");
  assert.equal(new Set(lines).size, lines.length);
  child.kill("SIGINT");
  await once(child, "exit");

  // The same node: a fault by the command line.
  const added = await run("sandbox fault add alpha delay --next 2 --delay 1s --operation 15");
  assert.equal(added.exitCode, 0, added.stderr);
  assert.match(added.stdout, /^delay +2 +internalAccountInquiry +1000$/m);
  await run("sandbox fault add alpha error503 --operation account-inquiry-internal");
  assert.deepEqual(JSON.parse((await run("sandbox fault list alpha --json")).stdout).faults.length, 2);
  assert.match((await run("sandbox fault clear alpha")).stderr, /Calls of alpha meet no faults/);
  assert.equal((await alpha.call(path, inquiry)).code, "2001500");
  for (const [line, message] of [
    ["sandbox fault add nobody delay", /There is no partner nobody/],
    ["sandbox fault add alpha delay --delay 2h", /delayMs must be a number of milliseconds from 1 to 60000/],
    ["sandbox fault add alpha delay --operation nothing", /There is no operation "nothing"/],
    ["sandbox fault add alpha explode", /explode/],
  ] as const) {
    const { exitCode, stderr } = await run(line);
    assert.notEqual(exitCode, 0, line);
    assert.match(stderr, message, line);
  }
});

test("without a sandbox the command says so", async () => {
  const { exitCode, stderr } = await runCli(["log"], { env: { TITIAN_DATA_DIR: "/nonexistent" } });
  assert.equal(exitCode, 1);
  assert.match(stderr, /cannot be read: is the sandbox running\?/);
});

test("titian serve prints a JSON line a call where it is no terminal, and counts those it leaves out", async () => {
  await using other = await startSandbox();
  const caller = other.caller("alpha");
  await Promise.all(Array.from({ length: 100 }, () => caller.call(path, inquiry)));
  const events = () =>
    other.service
      .output()
      .split("\n")
      .filter((line) => line.startsWith('{"event"'))
      .map((line) => JSON.parse(line));
  // 100 calls and one for the token.
  const counted = () =>
    events().reduce((sum: number, one) => sum + (one.event === "call" ? 1 : Number(one.calls)), 0) === 101 || undefined;
  assert.ok(await waitUntil(counted, { timeoutMs: 10_000, everyMs: 50 }), JSON.stringify(events().length));
  assert.ok(
    events().some(
      ({ event, operation, responseCode }) =>
        event === "call" && operation === "accessTokenB2b" && responseCode === "2007300",
    ),
  );
});
