/** The rows of a run's holds and accounts against the model's lists: every sum, every line, every balance. */
import assert from "node:assert/strict";
import type { Client } from "pg";
import { toReferenceNo } from "../../../packages/server/src/ids.ts";
import { captured, heldOn, type ModelHold, refunded, refundedOf, sum, unspent, type World } from "./naive-world.ts";

interface LineRow {
  readonly kind: number;
  readonly amount: bigint;
  /** Our number of what it belongs to. */
  readonly command: string;
  readonly capture: number | null;
  readonly refunded: bigint;
}

const capture = 1;
const release = 2;
const expiry = 3;
const refund = 4;

export async function assertDatabaseIs(client: Client, world: World, partners: readonly string[]): Promise<void> {
  const holds = await readHolds(client, partners);
  const lines = await readLines(client, partners);
  const accounts = await readAccounts(client, [...world.accounts.keys()]);
  assert.deepEqual(holds, new Map(world.holds.map((hold) => [hold.no, sumsOf(hold)])));
  for (const hold of world.holds) compareLines(hold, lines.get(hold.no) ?? []);
  const expected = [...world.accounts].map(([no, { balance, status }]) => [
    no,
    { balance, held: heldOn(world, no), status },
  ]);
  assert.deepEqual(accounts, new Map(expected as [string, object][]));
}

/** What the row of a hold says. */
function sumsOf(hold: ModelHold) {
  return {
    held: hold.held,
    captured: captured(hold),
    voided: sum(hold.releases),
    expired: hold.swept,
    refunded: refunded(hold),
    remaining: unspent(hold),
    isOpen: unspent(hold) > 0n,
    counts: [hold.captures.length, hold.voidCalls, hold.refundCalls],
    expiresAt: hold.expiresAt,
  };
}

function compareLines(hold: ModelHold, lines: readonly LineRow[]): void {
  const of = (kind: number) => lines.filter((line) => line.kind === kind);
  const amounts = (kind: number) => of(kind).map((line) => line.amount);
  assert.deepEqual(
    of(capture).map((line) => [line.command, line.amount, line.refunded]),
    hold.captures.map((one) => [one.no, one.amount, refundedOf(one)]),
  );
  assert.deepEqual(amounts(release), hold.releases);
  assert.equal(sum(amounts(expiry)), hold.swept);
  for (const one of hold.captures) {
    const line = lines.findIndex(({ kind, command }) => kind === capture && command === one.no) + 1;
    const taken = of(refund).filter((refunding) => refunding.capture === line);
    assert.deepEqual(
      taken.map(({ amount }) => amount),
      one.refunds,
    );
  }
  assert.equal(sum(amounts(refund)), refunded(hold));
}

async function readHolds(client: Client, partners: readonly string[]) {
  const { rows } = await client.query<(string | boolean)[]>({
    text: `select id, held, captured, voided, expired, refunded, remaining, is_open, capture_count, void_count, refund_count,
      extract(epoch from expires_at) * 1000 from holds where partner = any($1::uuid[]) order by id`,
    values: [partners],
    rowMode: "array",
  });
  return new Map(
    rows.map(([id, ...row]) => {
      const [held, taken, voided, gone, given, remaining] = row.slice(0, 6).map(BigInt);
      const counts = row.slice(7, 10).map(Number);
      const [isOpen, expiresAt] = [row[6], Number(row[10])];
      const sums = { held, captured: taken, voided, expired: gone, refunded: given, remaining };
      return [toReferenceNo(id as string), { ...sums, isOpen, counts, expiresAt }];
    }),
  );
}

async function readLines(
  client: Client,
  partners: readonly string[],
): Promise<ReadonlyMap<string, readonly LineRow[]>> {
  const { rows } = await client.query<{
    hold: string;
    line: number;
    kind: number;
    command: string;
    capture: number | null;
  }>(
    `select e.hold_id as hold, e.sequence as line, e.kind, e.command_id as command, e.amount::text,
        e.capture_sequence as capture, e.refunded::text
      from hold_events e join holds h on h.id = e.hold_id where h.partner = any($1::uuid[])
      order by e.hold_id, e.sequence`,
    [partners],
  );
  const lines = new Map<string, LineRow[]>();
  for (const row of rows as (LineRow & { hold: string; line: number })[]) {
    const no = toReferenceNo(row.hold);
    const of = lines.get(no) ?? [];
    lines.set(no, of);
    assert.equal(row.line, of.length + 1, "lines are numbered without a gap");
    const { kind, capture: of_ } = row;
    of.push({
      kind,
      command: toReferenceNo(row.command),
      capture: of_,
      amount: BigInt(row.amount),
      refunded: BigInt(row.refunded),
    });
  }
  return lines;
}

async function readAccounts(client: Client, accountNos: readonly string[]) {
  const { rows } = await client.query<{ account_no: string; balance: string; held: string; status: string }>(
    "select account_no, balance, held, status from accounts where account_no = any($1)",
    [accountNos],
  );
  return new Map(
    rows.map((row) => [row.account_no, { balance: BigInt(row.balance), held: BigInt(row.held), status: row.status }]),
  );
}
