/** Holds: locked by the batch that decides on them, written once a batch. */
import type { Hold } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import { uuidArray } from "../statements/binary-arrays.ts";
import { bigint, code, insertRows, int, text, time, updateRows, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { type LockedRow, readLockedRow } from "./locked-row.ts";
import { requestOfKey } from "./requests/request-keys.ts";

/** Holds by id, and by the partner reference key of the request that placed them. */
export interface HoldKeys {
  readonly ids: readonly string[];
  readonly partnerReferenceKeys: readonly string[];
}

export interface HoldRow {
  readonly hold: Hold;
  readonly partnerReferenceKey: string;
}

// The hold of a key never changes, so an unlocked sub-select over it is safe.
export const holdKeyIds = `$1::uuid[] || array(select placed.id from unnest($2::uuid[]) requested (key)
      cross join lateral ${requestOfKey("requested.key")} placed (id))`;

export function holdKeyValues({ ids, partnerReferenceKeys }: HoldKeys): readonly Buffer[] {
  return [uuidArray(ids), uuidArray(partnerReferenceKeys)];
}

export const holdColumns = selectList(
  [
    "id, partner_reference_key, partner, partner_reference_no, merchant_id, sub_merchant_id, store_id",
    "payer_account_id, settlement_account_id, currency, held, captured, voided, expired, refunded",
    "capture_count, void_count, refund_count, event_count",
  ],
  ["expires_at", "created_at"],
);

const lockHoldsStatement: Statement = {
  name: "lock-holds",
  text: `select ${holdColumns.sql} from holds where id = any(${holdKeyIds}) order by id for no key update`,
};

/** Locks the named holds in the order of their ids. */
export async function lockHolds(session: Session, keys: HoldKeys): Promise<readonly HoldRow[]> {
  return (await session.run(lockHoldsStatement, holdKeyValues(keys))).map(readHold);
}

const findLockedStatement: Statement = {
  name: "find-locked-holds",
  text: `with requested as (select id, partner_reference_key, xmax::text as holder from holds where id = any(${holdKeyIds})),
    free as (select id from holds where id = any(array(select id from requested)) for no key update skip locked)
    select id, partner_reference_key, holder from requested where id not in (select id from free)`,
};

/** Those of the named holds that are locked now. Does not wait, and keeps no lock. */
export async function findLockedHolds(session: Session, keys: HoldKeys): Promise<readonly LockedRow[]> {
  return (await session.run(findLockedStatement, holdKeyValues(keys))).map(readLockedRow);
}

export const insertHolds = insertRows<HoldRow>(
  "holds",
  {
    id: uuid(({ hold }) => hold.id),
    partner_reference_key: uuid((row) => row.partnerReferenceKey),
    partner: uuid(({ hold }) => hold.partner),
    partner_reference_no: text(({ hold }) => hold.partnerReferenceNo),
    merchant_id: text(({ hold }) => hold.merchantId),
    sub_merchant_id: text(({ hold }) => hold.subMerchantId),
    store_id: text(({ hold }) => hold.externalStoreId),
    payer_account_id: uuid(({ hold }) => hold.payer),
    settlement_account_id: uuid(({ hold }) => hold.settlement),
    currency: code(({ hold }) => hold.currency),
    held: bigint(({ hold }) => hold.held),
    expires_at: time(({ hold }) => hold.expiresAt),
  },
  {
    captured: "0",
    voided: "0",
    expired: "0",
    remaining: "r.held",
    refunded: "0",
    is_open: "true",
    capture_count: "0",
    void_count: "0",
    refund_count: "0",
    event_count: "0",
    created_at: "$1::timestamptz",
  },
);

export interface HoldUpdate {
  /** Number of events when it was locked. */
  readonly oldEventCount: number;
  readonly hold: Hold;
}

/** Writes the sums of locked holds; fails with 22012 if one of them is not as it was locked. */
export const updateHolds = updateRows<HoldUpdate>({
  name: "update-holds",
  table: "holds",
  where: {
    id: uuid(({ hold }) => hold.id),
    event_count: int((update) => update.oldEventCount),
  },
  set: {
    captured: bigint(({ hold }) => hold.captured),
    voided: bigint(({ hold }) => hold.voided),
    expired: bigint(({ hold }) => hold.expired),
    refunded: bigint(({ hold }) => hold.refunded),
    capture_count: int(({ hold }) => hold.captures),
    void_count: int(({ hold }) => hold.voids),
    refund_count: int(({ hold }) => hold.refunds),
    event_count: int(({ hold }) => hold.eventCount),
  },
  // Computed from the row itself, so that its check constraint verifies our sums.
  also: {
    remaining: "t.held - c.captured - c.voided - c.expired",
    is_open: "t.held - c.captured - c.voided - c.expired > 0",
  },
});

/** A row of `holdColumns`. */
export function readHold(row: TextRow): HoldRow {
  const { at } = holdColumns;
  const amount = (position: number) => minor(BigInt(row[position] as string));
  const [subMerchantId, externalStoreId] = [row[at.sub_merchant_id], row[at.store_id]];
  return {
    partnerReferenceKey: row[at.partner_reference_key] as string,
    hold: {
      id: row[at.id] as string,
      partner: row[at.partner] as string,
      partnerReferenceNo: row[at.partner_reference_no] as string,
      merchantId: row[at.merchant_id] as string,
      ...(subMerchantId == null ? {} : { subMerchantId }),
      ...(externalStoreId == null ? {} : { externalStoreId }),
      payer: row[at.payer_account_id] as string,
      settlement: row[at.settlement_account_id] as string,
      currency: row[at.currency] as string,
      held: amount(at.held),
      captured: amount(at.captured),
      voided: amount(at.voided),
      expired: amount(at.expired),
      refunded: amount(at.refunded),
      captures: Number(row[at.capture_count]),
      voids: Number(row[at.void_count]),
      refunds: Number(row[at.refund_count]),
      eventCount: Number(row[at.event_count]),
      expiresAt: Number(row[at.expires_at]),
      at: Number(row[at.created_at]),
    },
  };
}
