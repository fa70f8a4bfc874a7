/** Work of operators with the CLI while the service runs: partners onboarded, suspended, resumed. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Answer, type Caller, createCaller } from "../support/black-box/caller.ts";
import type { SandboxFile, SandboxPartner } from "../support/black-box/sandbox-file.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";

const securityDir = mkdtempSync(join(tmpdir(), "titian-security-"));
const securityLog = join(securityDir, "security.jsonl");
const sandbox = await startSandbox({ TITIAN_SECURITY_LOG: securityLog });
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  rmSync(securityDir, { recursive: true });
});
const { agent, control, dataDir, file } = sandbox;

async function titian(...args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(args, { env: { TITIAN_DATA_DIR: dataDir } });
  assert.equal(exitCode, 0, `titian ${args.join(" ")}: ${stderr}`);
  return stdout;
}

const untilCode = (code: string, call: () => Promise<Answer>) => eventually(async () => (await call()).code === code);

const tokenOrNothing = (caller: Caller) => caller.token({ fresh: true }).catch(() => undefined);

test("a suspended partner's token ends, it gets no other, and all comes back when it is resumed", async () => {
  const beta = sandbox.caller("beta");
  const [from = "", to = ""] = beta.partner.sourceAccounts;
  const pay = () => beta.call(transferPath, transferBody({ from, to, value: "1.00" }));
  expectCode(await pay(), "2001700");
  await titian("partner", "suspend", "beta");
  await untilCode("4011701", pay);
  await assert.rejects(beta.token({ fresh: true }), /4017300 .*\[Unknown client\]/);
  const gamma = sandbox.caller("gamma");
  await titian("partner", "suspend", "gamma");
  const inquire = () => gamma.call(inquiryPath, { beneficiaryAccountNo: to });
  await untilCode("4011500", inquire);
  await titian("partner", "resume", "gamma");
  await untilCode("2001500", inquire);

  await titian("partner", "resume", "beta");
  await eventually(() => tokenOrNothing(beta));
  expectCode(await pay(), "2001700");
});

/** A partner as `sandbox.json` would name it, onboarded by the CLI. */
async function claim(partnerId: string, ...options: readonly string[]): Promise<SandboxPartner> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const keyFile = join(dataDir, `${partnerId}.pem`);
  writeFileSync(keyFile, publicKey);
  const said = await titian("partner", "add", partnerId, "--name", partnerId, "--public-key", keyFile, ...options);
  const clientSecret = /^client secret +(\S+)$/m.exec(said)?.[1] ?? "";
  // The node that is asked for the account must have heard of its partner.
  const opened = () => control.open({ name: "Baru", balance: "10.00", partnerId }).catch(() => undefined);
  const { accountNo } = await eventually(opened);
  const names = { partnerId, clientKey: partnerId, channelId: "95221", signing: "symmetric" } as const;
  return { ...names, clientSecret, privateKey, publicKey, sourceAccounts: [accountNo], merchants: [] };
}

const callerOf = (partner: SandboxPartner) => {
  const others: SandboxFile = { ...file, partners: [partner] };
  return createCaller(others, partner.partnerId, agent);
};

test("a partner onboarded while the service runs is known, and rejected from addresses it was not given", async () => {
  const elsewhere = callerOf(await claim("NEW-1", "--addresses", "203.0.113.0/24"));
  await assert.rejects(elsewhere.token(), /4017300 .*\[Connection not allowed\]/);
});

test("a partner's CHANNEL-ID and time window are agreed with it while the service runs", async () => {
  const beta = sandbox.caller("beta");
  const [from = "", to = ""] = beta.partner.sourceAccounts;
  const pay = () => {
    const options = { timestamp: timestampOf(Date.now() - 600_000), headers: { "CHANNEL-ID": "WEB0000001" } };
    return beta.call(transferPath, transferBody({ from, to, value: "1.00" }), options);
  };
  expectCode(await pay(), "4001701");
  await titian("partner", "change", "beta", "--channel-id-length", "10", "--timestamp-window", "900");
  await untilCode("2001700", pay);
  const tooMuch = ["partner", "change", "beta", "--channel-id-length", "37"];
  assert.notEqual((await runCli(tooMuch, { env: { TITIAN_DATA_DIR: dataDir } })).exitCode, 0);
});

interface SecurityLine {
  readonly event: string;
  readonly partner?: string;
  readonly identity?: string;
  readonly address?: string;
  readonly operation?: string;
  readonly correlationId?: string;
  readonly reason?: string;
  readonly act?: string;
}

/** The lines that are written to their end; none where there is no file. */
const securityLines = (): readonly SecurityLine[] =>
  (existsSync(securityLog) ? readFileSync(securityLog, "utf8") : "")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const hasEvent = (event: string) => securityLines().some((line) => line.event === event);

test("the security log has who was let in, who was not, and what operators did, and no secret", async () => {
  await titian("account", "open", "--name", "Dicatat", "--balance", "1.00");
  await control.account(sandbox.caller("alpha").partner.sourceAccounts[0] ?? "");
  await eventually(() => hasEvent("act.carried_out") && hasEvent("personal_data.read"));
  const lines = securityLines();
  const find = (event: string, partner?: string, reason?: string) =>
    lines.find((line) => line.event === event && line.partner === partner && (reason ?? line.reason) === line.reason) ??
    assert.fail(`${event} ${partner} ${reason}`);
  assert.equal(lines[0]?.event, "log.opened");
  find("authentication.failed", "beta", "token");
  find("authentication.failed", "gamma", "unknown_client");
  const elsewhere = find("authentication.failed", "NEW-1", "address");
  assert.equal(elsewhere.operation, "accessTokenB2b");
  assert.match(elsewhere.correlationId ?? "", /^[0-9a-f]{16}$/);
  assert.match(find("token.issued", "beta").address ?? "", /^(::ffff:)?127\.0\.0\.1$|^::1$/);
  const { act } = find("act.proposed");
  assert.equal(lines.find((line) => line.event === "act.approved" && line.act === act)?.identity, "titian sandbox");
  assert.equal(lines.find((line) => line.event === "act.carried_out" && line.act === act)?.reason, "done");
  const read = lines.find((line) => line.event === "personal_data.read") ?? assert.fail();
  assert.deepEqual([read.operation, read.identity], ["account show", "titian control"]);
  const text = readFileSync(securityLog, "utf8");
  for (const { clientSecret } of file.partners) assert.ok(!text.includes(clientSecret));
  assert.ok(!text.includes(file.controlToken));
  assert.equal(statSync(securityLog).mode & 0o777, 0o600);
});

test("a line of the security log that is removed, changed or swapped is found by the command, with exit code 1", async () => {
  const moved = `${securityLog}.1`;
  renameSync(securityLog, moved);
  const alpha = sandbox.caller("alpha");
  // The first event behind the move may still be written to the old file.
  await alpha.token({ fresh: true });
  await eventually(() => hasEvent("log.continued"));
  await alpha.token({ fresh: true });
  await eventually(() => hasEvent("token.issued"));
  assert.match(await titian("security-log", "verify", moved, securityLog), /^As written: \d+ lines\.$/m);
  const texts = readFileSync(moved, "utf8").split("\n");
  const [one = "", two = ""] = texts.slice(1);
  const faulty = join(securityDir, "faulty.jsonl");
  const variants = [
    [texts.toSpliced(1, 1), /line 2: behind a gap: lines 2 to 2 are missing/],
    [texts.toSpliced(1, 1, one.replace('"time":"2', '"time":"1')), /line 2: changed/],
    [texts.toSpliced(1, 2, two, one), /line 2: behind a gap/],
  ] as const;
  for (const [changed, said] of variants) {
    writeFileSync(faulty, changed.join("\n"));
    const { exitCode, stdout } = await runCli(["security-log", "verify", faulty], { env: {} });
    assert.equal(exitCode, 1);
    assert.match(stdout, said);
  }
  const csv = await titian("security-log", "export", moved, "--partner", "NEW-1", "--from", "2020-01-01", "--csv");
  assert.match(csv, /^time,event,address,partner,/);
  assert.match(csv, /,authentication\.failed,[^,]+,NEW-1,,accessTokenB2b,/);
  assert.equal(await titian("security-log", "export", moved, "--to", "2020-01-01"), "");
});
