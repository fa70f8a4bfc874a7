/** Tables of `titian hold`. */
import type { HoldDetailsView, HoldEventView, HoldView } from "@titian/sandbox/types";
import { describeAccount } from "../tables/account.ts";
import { formatAmounts, formatFields } from "../tables/fields.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

const isZero = (amount: string) => !/[1-9]/.test(amount);

/** Parties, state and amounts. */
export function formatHold(hold: HoldDetailsView): string {
  const { held, captured, voided, expired, remaining, refunded, currency, expiresAt } = hold;
  // A hold without a remaining amount does not expire.
  const hasEnd = !isZero(expired) || !isZero(remaining);
  const fields = formatFields([
    ["partner", `${hold.partnerId}, as ${hold.partnerReferenceNo}`],
    ["merchant", hold.merchantId],
    ["sub-merchant", hold.subMerchantId],
    ["store", hold.externalStoreId],
    ["payer", describeAccount(hold.payer)],
    ["settlement account", describeAccount(hold.settlement)],
    ["state", `${hold.state} (${hold.status}): ${hold.meaning}`],
    ["placed", hold.placedAt],
    [isZero(expired) ? "expires" : "expired", hasEnd ? expiresAt : undefined],
  ]);
  const sums = Object.entries({ held, captured, voided, expired, remaining, refunded });
  return `Hold ${hold.referenceNo}\n\n${fields}\n\n${formatAmounts(sums, currency)}`;
}

const eventColumns = {
  sequence: "sequence",
  kind: "event",
  amount: amountColumn("amount"),
  at: "time",
  referenceNo: "reference no",
  toAccountNo: "to account",
  captureNo: "of capture",
};

export function formatHoldEvents(events: readonly HoldEventView[]): string {
  const rows = events.map(({ kind, ...event }) => ({
    ...event,
    kind: event.isOfLastCapture ? `${kind} (last capture)` : kind,
  }));
  return formatTable(eventColumns, rows);
}

const listColumns = {
  referenceNo: "hold",
  merchantId: "merchant",
  payerAccountNo: "payer",
  held: amountColumn("held"),
  captured: amountColumn("captured"),
  remaining: amountColumn("remaining"),
  currency: "currency",
  state: "state",
  expiresAt: "expires",
};

export function formatHolds(holds: readonly HoldView[]): string {
  return formatTable(listColumns, holds);
}
