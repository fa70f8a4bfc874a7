/** Tables of `titian hold`: amounts with the currency's decimals, expiry applied. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../../ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { type Hold, holdAt, remaining } from "../../ledger/holds/hold.ts";
import { holdState, holdStates } from "../../ledger/holds/states.ts";
import type { KeptHoldEvent } from "../../store/reads/hold-events.ts";
import type { FoundHold } from "../../store/reads/holds.ts";
import { showAmount } from "../tables/amounts.ts";
import { describeAccount } from "../tables/describe-account.ts";
import { formatTable } from "../tables/table.ts";

export interface HoldDetails {
  readonly hold: Hold;
  readonly partnerId: string | undefined;
  readonly payer: Account | undefined;
  readonly settlement: Account | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** Parties, state and amounts. A hold past its expiry counts as expired before the job has run. */
export function formatHold({ hold, partnerId = "", payer, settlement, now }: HoldDetails): string {
  const present = holdAt(hold, now);
  const state = holdState(present);
  const { status, meaning } = holdStates[state];
  // A hold without a remaining amount does not expire.
  const hasEnd = present.expired > 0n || remaining(present) > 0n;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${partnerId}, as ${hold.partnerReferenceNo}`],
    ["merchant", hold.merchantId],
    ["sub-merchant", hold.subMerchantId],
    ["store", hold.externalStoreId],
    ["payer", describeAccount(payer)],
    ["settlement account", describeAccount(settlement)],
    ["state", `${state} (${status}): ${meaning}`],
    ["placed", formatTimestamp(hold.at)],
    [present.expired > 0n ? "expired" : "expires", hasEnd ? formatTimestamp(hold.expiresAt) : undefined],
  ];
  const known = fields.filter(([, text]) => text !== undefined);
  const { held, captured, voided, expired, refunded } = present;
  const sums = { held, captured, voided, expired, remaining: remaining(present), refunded };
  const amounts = Object.entries(sums).map(([name, amount]) => [name, showAmount(amount, hold.currency)] as const);
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Hold ${toReferenceNo(hold.id)}`,
    "",
    ...known.map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${hold.currency}`),
  ].join("\n");
}

const eventColumns = {
  line: "sequence",
  what: "event",
  amount: "amount",
  at: "time",
  no: "reference no",
  to: "to account",
  capture: "of capture",
};

export function formatHoldEvents(lines: readonly KeptHoldEvent[], currency: string): string {
  const rows = lines.map(({ line, amount, command, service, toAccountNo, captureCommand, at, kind }) => ({
    line,
    // A last capture releases the remaining amount.
    what: kind === "void" && service === 65 ? "void (last capture)" : kind,
    amount: showAmount(amount, currency),
    at: formatTimestamp(at),
    no: service === undefined ? "" : toReferenceNo(command),
    // A release moves no money.
    to: kind === "void" ? "" : toAccountNo,
    capture: captureCommand === undefined ? "" : toReferenceNo(captureCommand),
  }));
  return formatTable(eventColumns, rows);
}

const listColumns = {
  no: "hold",
  merchantId: "merchant",
  payerAccountNo: "payer",
  held: "held",
  captured: "captured",
  remaining: "remaining",
  currency: "currency",
  state: "state",
  expires: "expires",
};

export function formatHolds(holds: readonly FoundHold[], now: number): string {
  const rows = holds.map(({ hold, payerAccountNo }) => {
    const present = holdAt(hold, now);
    return {
      no: toReferenceNo(hold.id),
      merchantId: hold.merchantId,
      payerAccountNo,
      held: showAmount(present.held, hold.currency),
      captured: showAmount(present.captured, hold.currency),
      remaining: showAmount(remaining(present), hold.currency),
      currency: hold.currency,
      state: holdState(present),
      expires: formatTimestamp(hold.expiresAt),
    };
  });
  return formatTable(listColumns, rows);
}
