/** Payments that file rails carried, and a copy of the database from before them: for tests that write them back. */
import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { operations } from "@titian/contract";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import type { Call, PartnerCredentials, Reply } from "../../packages/server/src/interfaces/call.ts";
import { railRecords } from "../../packages/server/src/compose/rails/rail-records.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { type RailName, railNames } from "../../packages/server/src/ledger/rails/terms.ts";
import { handleInterbankBulkTransfer } from "../../packages/server/src/operations/bulks/interbank-bulk-transfer.ts";
import {
  handleRtgsTransfer,
  handleSknTransfer,
} from "../../packages/server/src/operations/transfers/clearing-transfer.ts";
import { handleInterbankTransfer } from "../../packages/server/src/operations/transfers/interbank-transfer.ts";
import type { Dispatcher } from "../../packages/server/src/rails/dispatcher.ts";
import type { Rail } from "../../packages/server/src/rails/rail.ts";
import { openFileRail } from "../rails/contract/open-rail.ts";
import { callOf, startNode, type TestNode, writeDepsOf } from "./administration.ts";
import { copyDatabase, type DatabaseCopy } from "./database/copy-database.ts";
import { useDatabase } from "./database/database.ts";
import { roleUrlsOf } from "./database/template.ts";
import { runStatements } from "./database/with-client.ts";
import { testDispatcher } from "./dispatcher.ts";
import { valueOf } from "./expect.ts";
import { newPartner } from "./partners.ts";
import { testPartnerShares } from "./partner-shares.ts";
import { mayGoOn } from "./run-job.ts";
import { workingTime } from "./working-day.ts";

export type Operation = "interbankTransfer" | "rtgsTransfer" | "sknTransfer" | "interbankBulkTransfer";

/** A node with file rails: what partners call, and its jobs. */
export interface RailNode extends AsyncDisposable {
  readonly node: TestNode;
  call(given: Sent): Promise<Reply>;
  /** All jobs of rails, at a later business time, until so many transfers are pending. */
  work(pending: number): Promise<void>;
}

export interface Sent extends Pick<Call, "request" | "externalId"> {
  readonly operation: Operation;
  readonly freeForm?: ReadonlyMap<string, Uint8Array>;
}

/** A working day in Jakarta, between two settlements of SKNBI. */
const start = workingTime(10, 5);

export const payer = "3001";
/** Opened later: the copy does not have it. */
export const newPayer = "3002";

export interface ForgottenWorld extends AsyncDisposable {
  /** As its owner: of the database that goes on. */
  readonly ownerUrl: string;
  readonly directory: string;
  /** The rail's lines, as they stand in its directory. */
  linesOf(rail: RailName): readonly string[];
  /** Takes a line out of the rail's directory. */
  removeLine(rail: RailName, referenceNo: string): void;
  report(rail: RailName, ...results: readonly object[]): void;
  startRailNode(url: string): Promise<RailNode>;
  /** Another copy of the database as it was before the payments. */
  restore(): Promise<DatabaseCopy>;
}

/** `pay`: what is called on the node that goes on, behind the moment of the copy. */
export async function forgetPayments(
  pay: (node: RailNode, world: ForgottenWorld) => Promise<void>,
): Promise<ForgottenWorld> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await useDatabase());
  const directory = mkdtempSync(join(tmpdir(), "titian-forgotten-"));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  const terms = newPartner();
  const account = { name: "Siti", currency: "IDR", type: "S", balance: minor(100_000_000_000n) } as const;
  const key = await prepare(database.url, async (node) => {
    const partner = valueOf(await onboardPartner(node, terms));
    valueOf(await openAccount(node, { ...account, partners: [partner.key], accountNo: payer }));
    return partner.key;
  });
  const startRailNode = (url: string) => openNode(url, directory, terms.partnerId);
  // The ledger's id is made with the first rail.
  await (await startRailNode(database.url))[Symbol.asyncDispose]();
  const before = stack.use(await copyDatabase(database.ownerUrl));
  const filesOf = (rail: RailName) =>
    readdirSync(join(directory, rail))
      .filter((name) => name.startsWith("instructions-"))
      .toSorted()
      .map((name) => join(directory, rail, name));
  const linesOf = (rail: RailName) =>
    filesOf(rail).flatMap((path) => readFileSync(path, "utf8").split("\n").slice(0, -1));
  const world = {
    ownerUrl: database.ownerUrl,
    directory,
    linesOf,
    removeLine: (rail: RailName, referenceNo: string) => {
      for (const path of filesOf(rail)) {
        const kept = readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => !line.includes(referenceNo));
        writeFileSync(path, kept.join("\n"));
      }
    },
    report: (rail: RailName, ...results: readonly object[]) =>
      appendFileSync(
        join(directory, rail, "results", "a.jsonl"),
        results.map((result) => `${JSON.stringify(result)}\n`).join(""),
      ),
    startRailNode,
    restore: () => copyDatabase(before.url),
  };
  await prepare(database.url, async (node) =>
    valueOf(await openAccount(node, { ...account, partners: [key], accountNo: newPayer })),
  );
  const owned = { ...world, [Symbol.asyncDispose]: async () => undefined };
  {
    await using going = await startRailNode(database.url);
    await pay(going, owned);
  }
  const all = stack.move();
  return { ...world, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function prepare<Value>(url: string, work: (node: TestNode) => Promise<Value>): Promise<Value> {
  await using node = await startNode(url);
  return await work(node);
}

async function openNode(url: string, directory: string, partnerId: string): Promise<RailNode> {
  const node = await startNode(url);
  node.clock.setOffset(start - node.clock.real());
  const opened = await Promise.all(
    railNames.map((name) => openFileRail({ name, directory: join(directory, name), url })),
  );
  const rails = Object.fromEntries(opened.map((rail) => [rail.name, rail])) as Record<RailName, Rail>;
  const dispatcher = testDispatcher({
    ...node,
    database: node.adminPool,
    rails,
    railTimeoutMs: 2_000,
    interbankWaitMs: 300,
  });
  const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();
  const close = async () => {
    await dispatcher.close();
    await Promise.all(opened.map((rail) => rail.close()));
    await node.close();
  };
  let hours = 0;
  const work = async (pending: number) => {
    for (let tries = 0; tries < 60; tries += 1) {
      hours += 1;
      node.clock.setOffset(start + hours * 3_600_000 - node.clock.real());
      await runAll(dispatcher);
      const { rows } = await node.reads.query("select count(*)::int as count from transfers where is_open");
      if (Number(rows[0].count) === pending) return;
      await sleep(250);
    }
    assert.fail(`other than ${pending} transfers are pending`);
  };
  return { node, call: (sent) => callAs(node, dispatcher, partner, sent), work, [Symbol.asyncDispose]: close };
}

async function runAll({ collect, reconcile, sendBulkItems }: Dispatcher): Promise<void> {
  for (const job of [sendBulkItems, ...collect, ...reconcile]) await job.run(mayGoOn);
}

function callAs(node: TestNode, dispatcher: Dispatcher, partner: PartnerCredentials, sent: Sent): Promise<Reply> {
  const { operation, request, externalId, freeForm = new Map() } = sent;
  const deps = { ...writeDepsOf(node), sender: dispatcher.sender, bulkShares: testPartnerShares() };
  const call = { ...callOf(node, partner, { operation: operations[operation], request, externalId }), freeForm };
  switch (operation) {
    case "interbankTransfer":
      return handleInterbankTransfer(deps)(call);
    case "rtgsTransfer":
      return handleRtgsTransfer(deps)(call);
    case "sknTransfer":
      return handleSknTransfer(deps)(call);
    case "interbankBulkTransfer":
      return handleInterbankBulkTransfer(deps)(call);
  }
}

/** Records what a review of the directory would find ahead of the database. */
export async function recordAhead(url: string, rail: RailName, lines: readonly string[]): Promise<void> {
  await using node = await startNode(url);
  const { reads: pool, adminPool, clock } = node;
  const found = lines.map((line, index) => {
    const { referenceNo, sequence } = JSON.parse(line) as { referenceNo: string; sequence: number };
    return { referenceNo, sequence, kind: "ahead", line, place: { file: "f", line: index + 1 } } as const;
  });
  await runStatements(url, [`insert into rail_leases (rail) values ('${rail}') on conflict do nothing`]);
  await railRecords({ cell: 0, pool, adminPool, clock }, rail).recordDifferences(found);
}

/** As an operator opens a rail whose differences are decided on. */
export async function openRail(url: string, rail: RailName): Promise<void> {
  await runStatements(url, [
    `update rail_leases set ahead_since = null, stopped_because = null,
      sequence = greatest(sequence, (select max(sequence) from rail_differences where rail = '${rail}')) where rail = '${rail}'`,
  ]);
}

export const urlsOf = (copy: DatabaseCopy) => ({ ...roleUrlsOf(copy.url), ownerUrl: copy.url });
