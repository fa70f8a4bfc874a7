/** A database with a shop, and the nodes that race on it: one in this process, or two in processes of their own. */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import type { Reply } from "../../../packages/server/src/call.ts";
import { createClock } from "../../../packages/server/src/clock.ts";
import { useDatabase } from "../../support/database/database.ts";
import { startHoldNode } from "../hold-node.ts";
import { forkRaceNode, type RaceNode, startLocalNode } from "./race-node.ts";
import { idr, newShop, openShop, type Original, type Shop, shopCall } from "../merchant.ts";

export type Where = "one node" | "two processes";

/** What is on the shop's accounts if nothing was lost or doubled, in minor units. */
export interface Books {
  payer: bigint;
  held: bigint;
  settlement: bigint;
}

export interface RaceScene extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  readonly shop: Shop;
  readonly nodes: readonly RaceNode[];
  readonly books: Books;
  /** Business time of the nodes, ahead of the real time (ms); a race that moves it goes on from here. */
  readonly clock: { offset: number };
}

const opening = 10n ** 15n;

export async function openRaceScene(where: Where): Promise<RaceScene> {
  const database = await useDatabase();
  const { url } = database;
  const shop = newShop();
  const { reference } = shop;
  {
    await using node = await startHoldNode({ url, clock: createClock(), reference: () => reference });
    await openShop(node, shop, opening);
  }
  const start = { url, reference };
  const nodes =
    where === "one node"
      ? [await startLocalNode(start)]
      : await Promise.all([forkRaceNode(start), forkRaceNode(start)]);
  const client = new Client({ connectionString: url });
  await client.connect();
  const close = async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await client.end();
    await database.drop();
  };
  const books = { payer: opening, held: 0n, settlement: 0n };
  return { url, client, shop, nodes, books, clock: { offset: 0 }, [Symbol.asyncDispose]: close };
}

/** A call about a hold that was answered. */
export interface Answered {
  readonly name: keyof typeof amountFields;
  readonly reply: Reply;
}

export const amountFields = {
  authCapture: "captureAmount",
  authVoid: "voidAmount",
  authRefund: "refundAmount",
} as const;

/** What a race does to one hold. */
export interface HoldCalls {
  readonly original: Original;
  /** Business time at which it was placed, to the second. */
  readonly paidTime: string;
  /** The next call to the next node in turn. */
  send(name: Answered["name"], fields: object): Promise<Answered>;
}

/** Places a hold; the calls about it go to the nodes in turn, beginning with the given one. */
export async function placeHold(
  { nodes, shop }: RaceScene,
  value: string,
  { first = 0, validUpTo }: { readonly first?: number; readonly validUpTo?: string } = {},
): Promise<HoldCalls> {
  const nodeAt = (turn: number) => nodes[turn % nodes.length] as RaceNode;
  const partnerReferenceNo = randomUUID();
  const additionalInfo = validUpTo === undefined ? {} : { additionalInfo: { validUpTo } };
  const fields = { partnerReferenceNo, amount: idr(value), ...additionalInfo };
  const placed = await nodeAt(first).call(shopCall(shop, "authPayment", fields));
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
      return { name, reply: await node.call(shopCall(shop, name, { ...original, ...more })) };
    },
  };
}
