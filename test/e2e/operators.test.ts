/** Work of operators with the CLI while the service runs: partners onboarded, suspended, resumed. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Answer, type Caller, createCaller } from "../support/black-box/caller.ts";
import type { SandboxFile, SandboxPartner } from "../support/black-box/sandbox-file.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath, transferBody, transferPath } from "../support/black-box/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
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
