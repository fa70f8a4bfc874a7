/** Holds as the database has them: their sums, and the events behind them. */
import type { Client } from "pg";
import { fromReferenceNo, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { sum } from "../support/ledger-model.ts";

export const eventKinds = { capture: 1, void: 2, expiry: 3, refund: 4 } as const;

export interface RecordedEvent {
  readonly sequence: number;
  /** A number of `eventKinds`. */
  readonly kind: number;
  /** Our number of the call that made it. */
  readonly no: string;
  readonly amount: bigint;
  /** Sequence number of the capture that a refund refunds. */
  readonly capture: number | null;
  /** Refunded amount of a capture. */
  readonly refunded: bigint;
  /** True: it was decided at or after the hold's expiry. */
  readonly isLate: boolean;
}

export interface HoldSums {
  readonly held: bigint;
  readonly captured: bigint;
  readonly voided: bigint;
  readonly expired: bigint;
  readonly remaining: bigint;
  readonly refunded: bigint;
  readonly isOpen: boolean;
  /** Numbers of captures, voids and refunds. */
  readonly counts: readonly number[];
  readonly expiresAt: number;
}

export interface HoldRecord {
  /** Our number of it. */
  readonly no: string;
  readonly sums: HoldSums;
  readonly events: readonly RecordedEvent[];
}

interface Row extends Pick<HoldSums, "isOpen" | "counts"> {
  readonly id: string;
  readonly sums: readonly string[];
  readonly expiresAt: string;
  readonly events:
    | readonly (Omit<RecordedEvent, "amount" | "refunded"> & { amount: string; refunded: string })[]
    | null;
}

const textBy = (column: "id" | "partner") => `
  select h.id, array[h.held, h.captured, h.voided, h.expired, h.remaining, h.refunded]::text[] as sums,
    is_open as "isOpen", array[capture_count, void_count, refund_count]::int[] as counts,
    extract(epoch from expires_at) * 1000 as "expiresAt",
    (select json_agg(json_build_object('sequence', sequence, 'kind', kind, 'no', command_id, 'amount', amount::text,
      'capture', capture_sequence, 'refunded', refunded::text, 'isLate', created_at >= h.expires_at) order by sequence)
      from hold_events where hold_id = h.id) as events
  from holds h where h.${column} = any($1::uuid[])`;

export async function readHold(client: Client, referenceNo: string): Promise<HoldRecord> {
  const [record] = await readRecords(client, "id", [fromReferenceNo(referenceNo) ?? ""]);
  if (!record) throw new Error(`there is no hold ${referenceNo}`);
  return record;
}

export function readHoldsOf(client: Client, partners: readonly string[]): Promise<readonly HoldRecord[]> {
  return readRecords(client, "partner", partners);
}

async function readRecords(client: Client, column: "id" | "partner", values: readonly string[]) {
  const { rows } = await client.query<Row>({ name: `holds-by-${column}`, text: textBy(column), values: [values] });
  return rows.map(({ id, sums, isOpen, counts, expiresAt, events }): HoldRecord => {
    const [held = 0n, captured = 0n, voided = 0n, expired = 0n, remaining = 0n, refunded = 0n] = sums.map(BigInt);
    const numbers = { isOpen, counts, expiresAt: Number(expiresAt) };
    return {
      no: toReferenceNo(id),
      sums: { held, captured, voided, expired, remaining, refunded, ...numbers },
      events: (events ?? []).map((event) => ({
        ...event,
        no: toReferenceNo(event.no),
        amount: BigInt(event.amount),
        refunded: BigInt(event.refunded),
      })),
    };
  });
}

export interface HoldHistory {
  readonly captures: readonly { no: string; amount: bigint; refunded: bigint; refunds: readonly bigint[] }[];
  /** Amounts released by voids and by last captures. */
  readonly releases: readonly bigint[];
  /** Amount released by the expiry job. */
  readonly released: bigint;
  readonly refunded: bigint;
}

/** History of a hold, by its events. */
export function historyOf({ events }: HoldRecord): HoldHistory {
  const of = (kind: number) => events.filter((event) => event.kind === kind);
  const amounts = (some: readonly RecordedEvent[]) => some.map(({ amount }) => amount);
  const refundsOf = (sequence: number) => of(eventKinds.refund).filter(({ capture }) => capture === sequence);
  return {
    captures: of(eventKinds.capture).map(({ sequence, no, amount, refunded }) => {
      return { no, amount, refunded, refunds: amounts(refundsOf(sequence)) };
    }),
    releases: amounts(of(eventKinds.void)),
    released: sum(amounts(of(eventKinds.expiry))),
    refunded: sum(amounts(of(eventKinds.refund))),
  };
}

export interface Balance {
  readonly balance: bigint;
  readonly held: bigint;
  readonly status: string;
}

/** Balances by account number. */
export async function readBalances(client: Client, accountNos: readonly string[]): Promise<Map<string, Balance>> {
  const { rows } = await client.query<{ account_no: string; balance: string; held: string; status: string }>({
    name: "balances",
    text: "select account_no, balance, held, status from accounts where account_no = any($1)",
    values: [accountNos],
  });
  return new Map(
    rows.map(({ account_no: no, balance, held, status }) => {
      return [no, { balance: BigInt(balance), held: BigInt(held), status }];
    }),
  );
}
