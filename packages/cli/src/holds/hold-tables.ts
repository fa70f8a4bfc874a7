/** Tables of `titian hold`: amounts with the currency's decimals. */
import { formatTimestamp } from "@titian/contract";
import type { HoldDetails, HoldEventSummary, HoldSummary } from "@titian/server/admin";
import { describeAccount } from "../accounts/account-tables.ts";
import { showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";

/** Parties, state and amounts. */
export function formatHold(hold: HoldDetails): string {
  const { held, captured, voided, expired, remaining, refunded, currency } = hold;
  // A hold without a remaining amount does not expire.
  const hasEnd = expired > 0n || remaining > 0n;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${hold.partnerId}, as ${hold.partnerReferenceNo}`],
    ["merchant", hold.merchantId],
    ["sub-merchant", hold.subMerchantId],
    ["store", hold.externalStoreId],
    ["payer", describeAccount(hold.payer)],
    ["settlement account", describeAccount(hold.settlement)],
    ["state", `${hold.state} (${hold.status}): ${hold.meaning}`],
    ["placed", formatTimestamp(hold.placedAt)],
    [expired > 0n ? "expired" : "expires", hasEnd ? formatTimestamp(hold.expiresAt) : undefined],
  ];
  const known = fields.filter(([, text]) => text !== undefined);
  const sums = { held, captured, voided, expired, remaining, refunded };
  const amounts = Object.entries(sums).map(([name, amount]) => [name, showAmount(amount, currency)] as const);
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Hold ${hold.referenceNo}`,
    "",
    ...known.map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
  ].join("\n");
}

const eventColumns = {
  sequence: "sequence",
  what: "event",
  amount: "amount",
  at: "time",
  referenceNo: "reference no",
  toAccountNo: "to account",
  captureNo: "of capture",
};

export function formatHoldEvents(events: readonly HoldEventSummary[], currency: string): string {
  const rows = events.map((event) => ({
    ...event,
    what: event.isOfLastCapture ? `${event.kind} (last capture)` : event.kind,
    amount: showAmount(event.amount, currency),
    at: formatTimestamp(event.at),
  }));
  return formatTable(eventColumns, rows);
}

const listColumns = {
  referenceNo: "hold",
  merchantId: "merchant",
  payerAccountNo: "payer",
  held: "held",
  captured: "captured",
  remaining: "remaining",
  currency: "currency",
  state: "state",
  expires: "expires",
};

export function formatHolds(holds: readonly HoldSummary[]): string {
  const rows = holds.map((hold) => ({
    ...hold,
    held: showAmount(hold.held, hold.currency),
    captured: showAmount(hold.captured, hold.currency),
    remaining: showAmount(hold.remaining, hold.currency),
    expires: formatTimestamp(hold.expiresAt),
  }));
  return formatTable(listColumns, rows);
}
