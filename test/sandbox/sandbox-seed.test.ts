/** Content of a new sandbox; filling it may be cut short, repeated, and done by two nodes at once. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { handleAuthCapture } from "../../packages/server/src/operations/holds/auth-capture.ts";
import { handleAuthPayment } from "../../packages/server/src/operations/holds/auth-payment.ts";
import { handleAuthVoid } from "../../packages/server/src/operations/holds/auth-void.ts";
import { handleIntrabankTransfer } from "../../packages/server/src/operations/transfers/intrabank-transfer.ts";
import type { Engine } from "../../packages/server/src/engine/engine.ts";
import { minor, zero } from "../../packages/server/src/ledger/money.ts";
import { openSandboxKeys } from "../../packages/sandbox/src/keys.ts";
import { openSandboxFile, type SandboxPlace } from "../../packages/sandbox/src/sandbox-file.ts";
import { feesOf } from "../../packages/sandbox/src/start-control.ts";
import { seedSandbox } from "../../packages/sandbox/src/seed.ts";
import { findAccountByNumber } from "../../packages/server/src/store/reads/accounts.ts";
import { startNode, type TestNode, writeDepsOf } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { rails } from "../support/rails.ts";

const dataDir = mkdtempSync(join(tmpdir(), "titian-seed-"));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const ignore = () => undefined;
// Two processes that start at once in one data directory.
const [keys, sameKeys] = await Promise.all([openSandboxKeys(dataDir, ignore), openSandboxKeys(dataDir, ignore)]);

function seed(node: TestNode, actEngine: Engine = node.actEngine): Promise<void> {
  const writes = writeDepsOf(node);
  const handlers = {
    authPayment: handleAuthPayment(writes),
    authCapture: handleAuthCapture(writes),
    authVoid: handleAuthVoid(writes),
    intrabankTransfer: handleIntrabankTransfer(writes),
  };
  return seedSandbox({
    ...node,
    actEngine,
    ofNumber: () => ({ ...node, actEngine }),
    keys,
    handlers,
    onProgress: ignore,
  });
}

interface SandboxJson {
  readonly baseUrl: string;
  readonly fees: Readonly<Record<string, string>>;
  readonly partners: readonly {
    readonly partnerId: string;
    readonly clientKey: string;
    readonly clientSecret: string;
    readonly privateKey: string;
    readonly publicKey: string;
    readonly signing: string;
    readonly sourceAccounts: readonly string[];
    readonly merchants: readonly string[];
  }[];
  readonly accounts: readonly { readonly accountNo: string; readonly status: string }[];
  readonly merchants: readonly {
    readonly merchantId: string;
    readonly settlementAccountNo: string;
    readonly payerAccountNo: string;
    readonly defaultHoldAmount?: string;
  }[];
}

const place: SandboxPlace = {
  baseUrl: "http://127.0.0.1:9",
  pathPrefix: "",
  version: "v1.0",
  bankCode: "999",
  databaseUrl: "postgres://nowhere/none",
  administrationUrl: "postgres://administration@nowhere/none",
  clientKeyOf: () => undefined,
  providerClientKey: "titian",
  fees: feesOf(rails.rails),
  scenarios: [],
};

function readSandboxFile(): SandboxJson {
  return JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8")) as SandboxJson;
}

test("keys are made once, for their owner alone, by the first of several starts", async () => {
  assert.deepEqual(sameKeys, keys);
  assert.deepEqual(await openSandboxKeys(dataDir, ignore), keys);
  assert.equal(statSync(join(dataDir, "sandbox-keys.json")).mode & 0o777, 0o600);
});

test("sandbox.json is the owner's, and is left alone while the node it tells of answers", async (t) => {
  const server = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  (await openSandboxFile(dataDir)).publish({ ...place, baseUrl }, keys);
  assert.equal(statSync(join(dataDir, "sandbox.json")).mode & 0o777, 0o600);

  (await openSandboxFile(dataDir)).publish(place, keys);
  assert.equal(readSandboxFile().baseUrl, baseUrl, "a second node wrote over the file of the first");

  server.closeAllConnections();
  server.close();
  const next = await openSandboxFile(dataDir);
  assert.throws(readSandboxFile, { code: "ENOENT" }, "a file of an earlier run was left to mislead");
  next.restore();
  assert.equal(readSandboxFile().baseUrl, baseUrl, "a start that failed lost the file");
  next.publish(place, keys);
  next.restore();
  assert.equal(readSandboxFile().baseUrl, place.baseUrl, "what was published was taken back");
});

test("client keys are the partners' ids, but for those seeded before", async () => {
  const clientKeyOf = (partnerId: string) => (partnerId === "beta" ? "client-beta" : undefined);
  (await openSandboxFile(dataDir)).publish({ ...place, clientKeyOf }, keys);
  const clientKeys = readSandboxFile().partners.map(({ clientKey }) => clientKey);
  assert.deepEqual(clientKeys, ["alpha", "client-beta", "gamma"]);
});

test("sandbox.json tells the fees that the rails take, with their currency's decimals", async () => {
  (await openSandboxFile(dataDir)).publish(place, keys);
  assert.deepEqual(readSandboxFile().fees, { interbank: "2500.00", rtgs: "25000.00", skn: "2900.00" });
  const { interbank, rtgs, skn } = rails.rails;
  const other = { interbank: { ...interbank, fee: minor(7n) }, rtgs, skn: { ...skn, currency: "JPY", fee: zero } };
  (await openSandboxFile(dataDir)).publish({ ...place, fees: feesOf(other) }, keys);
  assert.deepEqual(readSandboxFile().fees, { interbank: "0.07", rtgs: "25000.00", skn: "0" });
});

test("what sandbox.json tells is what the ledger holds, and partners share nothing", async () => {
  await using database = await useDatabase();
  await using node = await startNode(database.url);
  await seed(node);
  (await openSandboxFile(dataDir)).publish(place, keys);
  const { partners, accounts, merchants } = readSandboxFile();
  assert.deepEqual(
    partners.map(({ signing }) => signing),
    ["symmetric", "symmetric", "asymmetric"],
  );
  const all = <T>(pick: (partner: (typeof partners)[number]) => readonly T[]) => partners.flatMap(pick);
  for (const values of [
    all((partner) => [partner.clientKey]),
    all((partner) => [partner.clientSecret]),
    all((partner) => [partner.publicKey]),
    all((partner) => partner.sourceAccounts),
    all((partner) => partner.merchants),
    merchants.map((merchant) => merchant.merchantId),
  ]) {
    assert.equal(new Set(values).size, values.length);
  }
  for (const { accountNo, status } of accounts) {
    assert.equal((await findAccountByNumber(node.reads, accountNo))?.status, status, accountNo);
  }
  for (const partner of partners) {
    const known = node.reference.byPartnerId(partner.partnerId) ?? assert.fail(partner.partnerId);
    assert.deepEqual([known.clientKey, known.secrets], [partner.clientKey, [partner.clientSecret]]);
    assert.equal(known.rateLimit, undefined);
    const owned = await Promise.all(partner.sourceAccounts.map((no) => findAccountByNumber(node.reads, no)));
    for (const account of owned) {
      assert.deepEqual(account?.partners, [known.key]);
      assert.deepEqual(account?.limits, {});
    }
    const states = owned.map((account) =>
      account?.balance === 0n && account.status === "active" ? "empty" : account?.status,
    );
    for (const state of ["dormant", "blocked", "closed", "empty"] as const) assert.ok(states.includes(state), state);
    assert.deepEqual(states.slice(0, 3), ["active", "active", "active"]);
    const own = merchants.filter(({ merchantId }) => partner.merchants.includes(merchantId));
    assert.equal(own.length, 2);
    assert.equal(own.filter(({ defaultHoldAmount }) => defaultHoldAmount !== undefined).length, 1);
    for (const merchant of own) {
      const terms = node.reference.current().merchants.get(merchantKeyOf(known.key, merchant.merchantId));
      const [settlement, payer] = await Promise.all(
        [merchant.settlementAccountNo, merchant.payerAccountNo].map((no) => findAccountByNumber(node.reads, no)),
      );
      assert.deepEqual([terms?.settlementAccount, terms?.payerAccount], [settlement?.id, payer?.id]);
    }
  }
  assert.deepEqual(await runAudit(database.url), { ok: true, findings: [] });
});

test("filling goes on where it was cut short, and by two nodes at once", async () => {
  await using database = await useDatabase();
  await using node = await startNode(database.url);
  await using other = await startNode(database.url);
  // As of a process killed after some commands: their work is done, the rest is not.
  for (const commands of [1, 3, 5]) {
    let left = commands;
    const cutShort: Engine = {
      ...node.actEngine,
      submit: (command) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error("killed")) : node.actEngine.submit(command);
      },
    };
    await assert.rejects(seed(node, cutShort), /killed/);
  }
  await Promise.all([seed(node), seed(other)]);
  const sum = async () => {
    const { rows } = await node.reads.query("select count(*), sum(balance) from accounts where purpose = 'customer'");
    return rows[0];
  };
  const once = await sum();
  await seed(node);
  assert.deepEqual(await sum(), once);
  await using fresh = await useDatabase();
  await using elsewhere = await startNode(fresh.url);
  await seed(elsewhere);
  const { rows } = await elsewhere.reads.query(
    "select count(*), sum(balance) from accounts where purpose = 'customer'",
  );
  assert.deepEqual(rows[0], once, "a filling in pieces differs from one in a single go");
  assert.deepEqual(await runAudit(database.url), { ok: true, findings: [] });
});
