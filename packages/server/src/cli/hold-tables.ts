/** Holds as `titian hold` shows them: amounts in their currency's decimals, and what time has done to them. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../ids.ts";
import type { Account } from "../ledger/account.ts";
import { type Hold, holdAt, remaining } from "../ledger/hold.ts";
import { holdState, holdStates } from "../ledger/hold-states.ts";
import type { KeptHoldLine } from "../store/reads/hold-lines.ts";
import type { FoundHold } from "../store/reads/holds.ts";
import { showAmount } from "./amounts.ts";
import { describeAccount } from "./describe-account.ts";
import { formatTable } from "./table.ts";

export interface HoldScene {
  readonly hold: Hold;
  readonly partnerId: string | undefined;
  readonly payer: Account | undefined;
  readonly settlement: Account | undefined;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** Who and where, and where the money is. A hold past its time has expired, swept or not. */
export function formatHold({ hold, partnerId = "", payer, settlement, now }: HoldScene): string {
  const present = holdAt(hold, now);
  const state = holdState(present);
  const { status, meaning } = holdStates[state];
  // One that was captured or voided to its end has no time to wait for.
  const hasEnd = present.expired > 0n || remaining(present) > 0n;
  const facts: readonly (readonly [string, string | undefined])[] = [
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
  const told = facts.filter(([, text]) => text !== undefined);
  const { held, captured, voided, expired, refunded } = present;
  const sums = { held, captured, voided, expired, remaining: remaining(present), refunded };
  const amounts = Object.entries(sums).map(([name, amount]) => [name, showAmount(amount, hold.currency)] as const);
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Hold ${toReferenceNo(hold.id)}`,
    "",
    ...told.map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${hold.currency}`),
  ].join("\n");
}

const lineColumns = {
  line: "line",
  what: "what",
  amount: "amount",
  at: "at",
  no: "our number",
  to: "to account",
  capture: "of capture",
};

export function formatHoldLines(lines: readonly KeptHoldLine[], currency: string): string {
  const rows = lines.map(({ line, amount, command, service, toAccountNo, captureCommand, at, kind }) => ({
    line,
    // A last capture releases what is left after it.
    what: kind === "void" && service === 65 ? "void (last capture)" : kind,
    amount: showAmount(amount, currency),
    at: formatTimestamp(at),
    no: service === undefined ? "" : toReferenceNo(command),
    // What a void or a last capture releases stays where it is.
    to: kind === "void" ? "" : toAccountNo,
    capture: captureCommand === undefined ? "" : toReferenceNo(captureCommand),
  }));
  return formatTable(lineColumns, rows);
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
