/** Holds: locked by the batch that decides on them, written once a batch; their lines are added. */
import type { Hold } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { bigintArray, countArray, intArray, uuidArray } from "../postgres/binary-arrays.ts";
import { type LockedRow, readLockedRow } from "./locked-row.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { plainArray, readTextList, rowsOf, textList } from "../postgres/sql-arrays.ts";

/** Holds by id, and by the number key of the write that placed them. */
export interface HoldKeys {
  readonly ids: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

export interface HoldRow {
  readonly hold: Hold;
  readonly partnerReferenceKey: string;
}

// What a number key leads to never changes, so an unlocked sub-select over it is safe.
export const holdKeyIds = `$1::uuid[] || array(select placed.id from unnest($2::uuid[]) wanted (key)
      cross join lateral (select id from accepted_requests where partner_reference_key = wanted.key limit 1) placed)`;

export function holdKeyValues({ ids, partnerReferenceKeys }: HoldKeys): readonly Buffer[] {
  return [uuidArray(ids), uuidArray(partnerReferenceKeys)];
}

// `date_part` and not `extract`, whose numeric made reading a hold a twentieth slower; milliseconds come out exact.
export const holdColumns = `id, partner_reference_key, partner, partner_reference_no, merchant_id, sub_merchant_id, store_id,
  payer_account_id, settlement_account_id, currency, held, captured, voided, expired, refunded, capture_count, void_count,
  refund_count, event_count,
  (date_part('epoch', expires_at) * 1000)::bigint, (date_part('epoch', created_at) * 1000)::bigint`;

const lockHoldsStatement: Statement = {
  name: "lock-holds",
  text: `select ${holdColumns} from holds where id = any(${holdKeyIds}) order by id for no key update`,
};

/** Locks the named holds in the order of their ids. What does not exist is simply not found. */
export async function lockHolds(session: Session, wanted: HoldKeys): Promise<readonly HoldRow[]> {
  return (await session.run(lockHoldsStatement, holdKeyValues(wanted))).map(readHold);
}

const findLockedStatement: Statement = {
  name: "find-locked-holds",
  text: `with wanted as (select id, partner_reference_key, xmax::text as holder from holds where id = any(${holdKeyIds})),
    free as (select id from holds where id = any(array(select id from wanted)) for no key update skip locked)
    select id, partner_reference_key, holder from wanted where id not in (select id from free)`,
};

/** Those of the named holds that are locked now. Waits for nobody and keeps no lock. */
export async function findLockedHolds(session: Session, wanted: HoldKeys): Promise<readonly LockedRow[]> {
  return (await session.run(findLockedStatement, holdKeyValues(wanted))).map(readLockedRow);
}

const epochMs = (column: string) => `timestamptz 'epoch' + ${column} * interval '1 millisecond'`;

const insertHoldsStatement: Statement = {
  name: "insert-holds",
  text: `insert into holds (id, partner_reference_key, partner, partner_reference_no, merchant_id, sub_merchant_id, store_id,
      payer_account_id, settlement_account_id, currency, held, captured, voided, expired, remaining, refunded, is_open,
      capture_count, void_count, refund_count, event_count, expires_at, created_at)
    select h.id, h.partner_reference_key, h.partner, h.partner_reference_no, h.merchant_id, h.sub_merchant_id, h.store_id,
      h.payer_account_id, h.settlement_account_id, h.currency, h.held, 0, 0, 0, h.held, 0, true, 0, 0, 0, 0, ${epochMs("h.expires_at")}, $13::timestamptz
    from ${rowsOf({
      id: "$1::uuid[]",
      partner_reference_key: "$2::uuid[]",
      partner: "$3::uuid[]",
      partner_reference_no: readTextList(4),
      merchant_id: readTextList(5),
      sub_merchant_id: readTextList(6),
      store_id: readTextList(7),
      payer_account_id: "$8::uuid[]",
      settlement_account_id: "$9::uuid[]",
      currency: "$10::text[]",
      held: "$11::bigint[]",
      expires_at: "$12::bigint[]",
    })} h`,
};

/** Adds new holds, with nothing taken from them yet. */
export function insertHolds(session: Session, rows: readonly HoldRow[], at: string): Promise<unknown> {
  const holds = rows.map((row) => row.hold);
  return session.run(insertHoldsStatement, [
    uuidArray(holds.map((hold) => hold.id)),
    uuidArray(rows.map((row) => row.partnerReferenceKey)),
    uuidArray(holds.map((hold) => hold.partner)),
    textList(holds.map((hold) => hold.partnerReferenceNo)),
    textList(holds.map((hold) => hold.merchantId)),
    textList(holds.map((hold) => hold.subMerchantId)),
    textList(holds.map((hold) => hold.externalStoreId)),
    uuidArray(holds.map((hold) => hold.payer)),
    uuidArray(holds.map((hold) => hold.settlement)),
    plainArray(holds.map((hold) => hold.currency)),
    bigintArray(holds.map((hold) => hold.held)),
    countArray(holds.map((hold) => hold.expiresAt)),
    at,
  ]);
}

export interface HoldUpdate {
  /** Its number of lines as it was locked. */
  readonly oldLines: number;
  readonly hold: Hold;
}

// `remaining` is worked out from the row itself, so that the algebra's check sees what the row says, not what we say.
const updateHoldsStatement: Statement = {
  name: "update-holds",
  text: `with updated as (
    update holds h set captured = c.captured, voided = c.voided, expired = c.expired, refunded = c.refunded,
      remaining = h.held - c.captured - c.voided - c.expired,
      is_open = h.held - c.captured - c.voided - c.expired > 0,
      capture_count = c.capture_count, void_count = c.void_count, refund_count = c.refund_count,
      event_count = c.event_count
    from ${rowsOf({
      id: "$1::uuid[]",
      old_event_count: "$2::int[]",
      captured: "$3::bigint[]",
      voided: "$4::bigint[]",
      expired: "$5::bigint[]",
      refunded: "$6::bigint[]",
      capture_count: "$7::int[]",
      void_count: "$8::int[]",
      refund_count: "$9::int[]",
      event_count: "$10::int[]",
    })} c
    where h.id = c.id and h.event_count = c.old_event_count returning 1)
  select 1 / (case when (select count(*) from updated) = $11::bigint then 1 else 0 end)`,
};

/** Writes the sums of locked holds; fails with 22012 if one of them is not as it was locked. */
export function updateHolds(session: Session, updates: readonly HoldUpdate[]): Promise<unknown> {
  const holds = updates.map((update) => update.hold);
  return session.run(updateHoldsStatement, [
    uuidArray(holds.map((hold) => hold.id)),
    intArray(updates.map((update) => update.oldLines)),
    bigintArray(holds.map((hold) => hold.captured)),
    bigintArray(holds.map((hold) => hold.voided)),
    bigintArray(holds.map((hold) => hold.expired)),
    bigintArray(holds.map((hold) => hold.refunded)),
    intArray(holds.map((hold) => hold.captures)),
    intArray(holds.map((hold) => hold.voids)),
    intArray(holds.map((hold) => hold.refunds)),
    intArray(holds.map((hold) => hold.lines)),
    updates.length,
  ]);
}

/** A row of `holdColumns`. */
export function readHold(row: TextRow): HoldRow {
  const [id, partnerReferenceKey, partner, partnerReferenceNo, merchantId, subMerchantId, storeId, payer, settlement] =
    row;
  const [currency, held, captured, voided, expired, refunded, captures, voids, refunds, lines, expiresAt, at] =
    row.slice(9) as string[];
  const amount = (text: string | undefined) => minor(BigInt(text as string));
  return {
    partnerReferenceKey: partnerReferenceKey as string,
    hold: {
      id: id as string,
      partner: partner as string,
      partnerReferenceNo: partnerReferenceNo as string,
      merchantId: merchantId as string,
      ...(subMerchantId == null ? {} : { subMerchantId }),
      ...(storeId == null ? {} : { externalStoreId: storeId }),
      payer: payer as string,
      settlement: settlement as string,
      currency: currency as string,
      held: amount(held),
      captured: amount(captured),
      voided: amount(voided),
      expired: amount(expired),
      refunded: amount(refunded),
      captures: Number(captures),
      voids: Number(voids),
      refunds: Number(refunds),
      lines: Number(lines),
      expiresAt: Number(expiresAt),
      at: Number(at),
    },
  };
}
