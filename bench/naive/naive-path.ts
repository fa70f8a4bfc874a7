/**
 * The path to beat: every transfer in a transaction of its own, written with care but without batches. It decides with
 * the same pure code as the engine and leaves the same rows; only the way to the database differs.
 */
import { Pool, type PoolClient } from "pg";
import type { Clock } from "../../packages/server/src/basics/clock.ts";
import type { Command, Unconfirmed } from "../../packages/server/src/engine/command.ts";
import { type BatchDecision, decideBatch, type Loaded } from "../../packages/server/src/engine/batch/decide.ts";
import type { Reference } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { type AccountUpdate, readAccount } from "../../packages/server/src/store/tables/accounts.ts";
import type { Entry } from "../../packages/server/src/store/tables/entries.ts";
import { readRejectedRequest } from "../../packages/server/src/store/tables/requests/rejected-requests.ts";
import {
  type NewAcceptedRequest,
  readAcceptedRequest,
} from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { naiveStatements } from "./naive-statements.ts";

const connections = 20;

export interface NaivePath {
  /** Carries out one intrabank transfer. */
  submit(command: Command<unknown>): Promise<Unconfirmed<unknown>>;
  close(): Promise<void>;
}

type Row = readonly (string | null)[];

export function createNaivePath(url: string, clock: Clock, reference: Reference): NaivePath {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: "bench naive",
    types: { getTypeParser: () => (text: string) => text },
    // As the engine's sessions: a plan made while the tables are empty must not stay a scan.
    options: "-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan",
  });
  return {
    async submit(command) {
      const client = await pool.connect();
      try {
        return await transfer(client, command, { now: clock.now(), reference });
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

type NaiveContext = Parameters<typeof decideBatch>[2];

async function transfer(
  client: PoolClient,
  command: Command<unknown>,
  context: NaiveContext,
): Promise<Unconfirmed<unknown>> {
  await run(client, naiveStatements.begin);
  try {
    const decided = decideBatch([command], await load(client, command), context);
    const [outcome] = decided.outcomes;
    if (outcome?.kind !== "effect") throw new Error(`a transfer of the bench was answered ${outcome?.kind}`);
    await save(client, decided, new Date(context.now).toISOString());
    await run(client, naiveStatements.commit);
    return outcome;
  } catch (error) {
    await run(client, naiveStatements.rollback);
    throw error;
  }
}

/** Locks, then looks for the keys: a repeat that waited for its first call must see it. */
async function load(client: PoolClient, { locks, keys }: Command<unknown>): Promise<Loaded> {
  const accounts = await run(client, naiveStatements.lockAccounts, locks.accountNumbers);
  const writes = await run(client, naiveStatements.findWrites, [keys?.externalIdKey, keys?.partnerReferenceKey]);
  const wanted = [
    keys?.signatureKey,
    keys?.externalIdKey,
    keys?.sentAt,
    keys?.partnerReferenceKey,
    keys?.requestFingerprint,
  ];
  const rejections = await run(client, naiveStatements.findRejection, wanted);
  const found = (by: string) =>
    new Map(writes.filter((row) => row[0] === by).map((row) => [0, readAcceptedRequest(row.slice(1))] as const));
  const rejected = (by: string) =>
    new Map(rejections.filter((row) => row[0] === by).map((row) => [0, readRejectedRequest(row.slice(1))] as const));
  return {
    accounts: accounts.map(readAccount),
    holds: [],
    captures: new Map(),
    transfers: [],
    paymentRequests: [],
    openRequests: new Map(),
    bulks: [],
    payersOfOpen: new Set(),
    locked: new Map(),
    writes: { byExternalIdKey: found("external"), byPartnerReferenceKey: found("number") },
    rejections: {
      bySignature: rejected("signature"),
      nextSent: rejected("next"),
      nextOfIntent: rejected("intent"),
    },
  };
}

async function save(client: PoolClient, { writes, workingSet }: BatchDecision, at: string): Promise<void> {
  for (const write of writes) {
    await run(client, naiveStatements.insertWrite, writeValues(write, at));
    await run(client, naiveStatements.insertKeys, [write.externalIdKey, write.partnerReferenceKey, write.id]);
  }
  await run(client, naiveStatements.insertEntries, [...workingSet.rows.accounts.entries.flatMap(entryValues), at]);
  const updated = await run(
    client,
    naiveStatements.updateAccounts,
    workingSet.rows.accounts.moved().flatMap(updateValues),
  );
  if (updated.length !== 2) throw new Error("an account moved under its lock");
}

function writeValues(write: NewAcceptedRequest, at: string): readonly unknown[] {
  return [
    write.id,
    write.partner,
    write.service,
    write.externalIdKey,
    write.partnerReferenceKey,
    write.bodyHash,
    write.requestFingerprint,
    write.externalId,
    write.facts,
    write.freeForm ?? null,
    at,
  ];
}

function entryValues({
  accountId,
  version,
  journalId,
  kind,
  currency,
  amount,
  balanceAfter,
}: Entry): readonly unknown[] {
  return [accountId, version, journalId, kind, currency, amount, balanceAfter];
}

function updateValues({ account, oldVersion }: AccountUpdate): readonly unknown[] {
  const { id, version, balance, held, dailyUse: use } = account;
  return [id, oldVersion, version, balance, held, use.day, use.total, use.count];
}

async function run(
  client: PoolClient,
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await client.query<(string | null)[]>({ ...statement, values: [...values], rowMode: "array" });
  return rows;
}
