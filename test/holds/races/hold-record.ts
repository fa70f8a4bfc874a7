/** All that the database knows of one hold, its sums and its lines, and what is on its accounts. */
import type { Client } from "pg";
import type { Books } from "./race-fixture.ts";
import type { Shop } from "../merchant.ts";
import { fromReferenceNo, toReferenceNo } from "../../../packages/server/src/ids.ts";

export const lineKinds = { capture: 1, void: 2, expiry: 3, refund: 4 } as const;

export interface RecordedLine {
  readonly line: number;
  /** A number of `lineKinds`. */
  readonly kind: number;
  /** Our number of the call that made it. */
  readonly no: string;
  readonly amount: bigint;
  /** Of a refund: the capture's line. */
  readonly capture: number | null;
  /** Of a capture: what of it was given back. */
  readonly refunded: bigint;
  /** Whether it was decided at or after the hold's time. */
  readonly isLate: boolean;
}

export interface HoldRecord {
  readonly held: bigint;
  readonly captured: bigint;
  readonly voided: bigint;
  readonly expired: bigint;
  readonly remaining: bigint;
  readonly refunded: bigint;
  readonly lines: readonly RecordedLine[];
}

interface Row {
  readonly sums: readonly string[];
  readonly lines: readonly (Omit<RecordedLine, "amount" | "refunded"> & { amount: string; refunded: string })[] | null;
}

const text = `select array[h.held, h.captured, h.voided, h.expired, h.remaining, h.refunded]::text[] as sums,
    (select json_agg(json_build_object('line', sequence, 'kind', kind, 'no', command_id, 'amount', amount::text,
      'capture', capture_sequence, 'refunded', refunded::text, 'isLate', created_at >= h.expires_at) order by sequence)
      from hold_events where hold_id = h.id) as lines
  from holds h where h.id = $1`;

export async function readRecord(client: Client, referenceNo: string): Promise<HoldRecord> {
  const values = [fromReferenceNo(referenceNo)];
  const [row] = (await client.query<Row>({ name: "hold-record", text, values })).rows;
  if (!row) throw new Error(`there is no hold ${referenceNo}`);
  const [held = 0n, captured = 0n, voided = 0n, expired = 0n, remaining = 0n, refunded = 0n] = row.sums.map(BigInt);
  const lines = (row.lines ?? []).map((line) => ({
    ...line,
    no: toReferenceNo(line.no),
    amount: BigInt(line.amount),
    refunded: BigInt(line.refunded),
  }));
  return { held, captured, voided, expired, remaining, refunded, lines };
}

/** What is on the accounts of a shop. */
export async function readAccounts(client: Client, { payer, settlement }: Shop): Promise<Books> {
  const { rows } = await client.query<{ readonly id: string; readonly balance: string; readonly held: string }>({
    name: "accounts-of-shop",
    text: "select id, balance, held from accounts where id = any($1::uuid[])",
    values: [[payer.id, settlement.id]],
  });
  const of = (wanted: string) => rows.find(({ id }) => id === wanted);
  return {
    payer: BigInt(of(payer.id)?.balance ?? -1),
    held: BigInt(of(payer.id)?.held ?? -1),
    settlement: BigInt(of(settlement.id)?.balance ?? -1),
  };
}
