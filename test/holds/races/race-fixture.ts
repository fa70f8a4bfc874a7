/** A database with a merchant, and the nodes that race on it: one in this process, or two in processes of their own. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { useDatabase } from "../../support/database/database.ts";
import { startHoldNode } from "../hold-node.ts";
import type { HoldRecord } from "../hold-record.ts";
import {
  idr,
  merchantCall,
  newMerchant,
  openAccounts,
  type OriginalReferences,
  type TestMerchant,
} from "../merchant.ts";
import type { ChangeName } from "../write-fields.ts";
import { forkRaceNode, type RaceNode, startLocalNode } from "./race-node.ts";

export type Deployment = "one node" | "two processes";

/** Balances of the merchant's accounts, in minor units. */
export interface Balances {
  payer: bigint;
  held: bigint;
  settlement: bigint;
}

export interface RaceFixture extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  readonly merchant: TestMerchant;
  readonly nodes: readonly RaceNode[];
  /** Balances if nothing was lost or doubled. */
  readonly expected: Balances;
  /** Business time of the nodes, ahead of the real time (ms); a race that moves it continues from here. */
  readonly clock: { offset: number };
}

export interface Race {
  readonly name: string;
  /** Number of rounds at once: their holds share accounts, nothing else. */
  readonly atOnce: number;
  run(fixture: RaceFixture, random: () => number, rounds: number): Promise<readonly RaceResult[]>;
}

export interface RaceResult {
  readonly original: OriginalReferences;
  readonly answered: readonly Answered[];
  /** Faults of this race's own, by the responses and the record. */
  readonly check: (record: HoldRecord) => readonly string[];
  /** Outcome, in a word. */
  readonly outcome: string;
}

/** A call about a hold with its response. */
export interface Answered {
  readonly name: ChangeName;
  readonly reply: Reply;
}

export const pick = <Value>(random: () => number, values: readonly Value[]) =>
  values[Math.floor(random() * values.length)] as Value;

const openingBalance = 10n ** 15n;

export async function openRaceFixture(deployment: Deployment): Promise<RaceFixture> {
  const database = await useDatabase();
  const { url } = database;
  const merchant = newMerchant();
  const { reference } = merchant;
  {
    await using node = await startHoldNode({ url, clock: createClock(), reference: () => reference });
    await openAccounts(node, merchant, openingBalance);
  }
  const start = { url, reference };
  const nodes =
    deployment === "one node"
      ? [await startLocalNode(start)]
      : await Promise.all([forkRaceNode(start), forkRaceNode(start)]);
  const client = new Client({ connectionString: url });
  await client.connect();
  const close = async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await client.end();
    await database.drop();
  };
  const expected = { payer: openingBalance, held: 0n, settlement: 0n };
  return { url, client, merchant, nodes, expected, clock: { offset: 0 }, [Symbol.asyncDispose]: close };
}

/** Calls of a race on one hold. */
export interface HoldCalls {
  readonly original: OriginalReferences;
  /** Business time at which it was placed, to the second. */
  readonly paidTime: string;
  /** The next call to the next node in turn. */
  send(name: ChangeName, fields: object): Promise<Answered>;
}

/** Places a hold; the calls about it go to the nodes in turn, beginning with the given one. */
export async function placeHold(
  { nodes, merchant }: RaceFixture,
  value: string,
  { first = 0, validUpTo }: { readonly first?: number; readonly validUpTo?: string } = {},
): Promise<HoldCalls> {
  const nodeAt = (turn: number) => nodes[turn % nodes.length] as RaceNode;
  const partnerReferenceNo = randomUUID();
  const additionalInfo = validUpTo === undefined ? {} : { additionalInfo: { validUpTo } };
  const fields = { partnerReferenceNo, amount: idr(value), ...additionalInfo };
  const placed = await nodeAt(first).call(merchantCall(merchant, "authPayment", fields));
  if (placed.case !== "success") throw new Error(`no hold: ${placed.case} ${placed.field ?? ""}`);
  const original = {
    originalReferenceNo: String(placed.fields?.["referenceNo"]),
    originalPartnerReferenceNo: partnerReferenceNo,
  };
  let turn = first;
  return {
    original,
    paidTime: String(placed.fields?.["paidTime"]),
    send: async (name, more) => {
      const node = nodeAt(turn);
      turn += 1;
      return { name, reply: await node.call(merchantCall(merchant, name, { ...original, ...more })) };
    },
  };
}
