/** Tables of `titian transfer`: state, amounts and movements of transfers over a rail. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../ids.ts";
import type { Account } from "../ledger/account.ts";
import { findBank } from "../ledger/find-bank.ts";
import { type MovementKind, movementKinds } from "../ledger/movement.ts";
import type { RailData } from "../ledger/rail.ts";
import type { RailTransfer, TransferWord } from "../ledger/rail-transfer.ts";
import { transferStates } from "../ledger/transfer-states.ts";
import { parseFacts } from "../operations/facts.ts";
import type { RailFacts } from "../operations/rail-transfer.ts";
import { rejectionOf } from "../operations/refusal-cases.ts";
import type { FoundTransfer } from "../store/reads/found-transfers.ts";
import type { KeptMovement } from "../store/reads/movements.ts";
import { showAmount } from "./amounts.ts";
import { describeAccount } from "./describe-account.ts";
import { formatTable } from "./table.ts";

export interface TransferDetails {
  readonly found: FoundTransfer;
  /** Of all its journals, in order. */
  readonly movements: readonly KeptMovement[];
  readonly partnerId: string | undefined;
  readonly payer: Account | undefined;
  readonly rails: RailData;
}

/** Parties, state, amounts and movements. */
export function formatTransfer({ found, movements, partnerId = "", payer, rails }: TransferDetails): string {
  const { transfer, externalId } = found;
  const { request } = parseFacts<RailFacts>(found.facts);
  const { status, meaning } = transferStates[transfer.state];
  const { rail, service, traceNo, refusal, state, travels, fee, currency } = transfer;
  const isPending = transfer.endJournal === undefined;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${partnerId}, as ${request.partnerReferenceNo}`],
    ["requested via", `service ${service}, X-EXTERNAL-ID ${externalId}`],
    ["rail", traceNo === undefined ? rail : `${rail}, trace number ${traceNo}`],
    ["payer", describeAccount(payer)],
    ["beneficiary", `${request.beneficiaryAccountNo} ${request.beneficiaryAccountName}`],
    ["beneficiary bank", describeBank(request.beneficiaryBankCode, rails)],
    ["state", `${state} (${status}): ${meaning}`],
    ["current account", movements.findLast(({ kind }) => kind !== movementKinds.fee)?.toAccountNo],
    ["accepted", formatTimestamp(transfer.at)],
    ["resolved", isPending ? undefined : describeResolution(transfer)],
    ["returned", transfer.returnJournal && describeSource(transfer.returnedBy)],
    ["reject reason", refusal && `${refusal} (${rejectionOf({ kind: refusal }, String(service)).responseMessage})`],
    ["next inquiry", isPending ? `${formatTimestamp(found.dueAt)}, after ${transfer.attempts}` : undefined],
  ];
  const amounts = Object.entries({ debited: travels + fee, fee, "sent amount": travels }).map(
    ([name, amount]) => [name, showAmount(amount, currency)] as const,
  );
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Transfer ${toReferenceNo(transfer.id)}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
    "",
    formatMovements(movements, currency),
  ].join("\n");
}

/** Only an interbank transfer (18) can be resolved within its call. */
function describeResolution({ endedBy, service, isResolvedSynchronously }: RailTransfer): string {
  const by = describeSource(endedBy);
  if (service !== 18) return by;
  return isResolvedSynchronously ? `${by}, within the call` : `${by}, after a 202 response`;
}

function describeSource(by: TransferWord | undefined): string {
  if (by === undefined) return "source not recorded";
  return by === "operator" ? "by an operator" : "by the rail";
}

function describeBank(code: string, rails: RailData): string {
  const bank = findBank(rails, code);
  return bank === undefined || bank === "own" ? code : `${code} ${bank.name}`;
}

const movementColumns = { what: "kind", amount: "amount", from: "from", to: "to", at: "time", no: "reference no" };

const kindNames = new Map<number, MovementKind>(
  Object.entries(movementKinds).map(([name, kind]) => [kind, name as MovementKind]),
);

export function formatMovements(movements: readonly KeptMovement[], currency: string): string {
  const rows = movements.map(({ kind, amount, fromAccountNo, toAccountNo, at, journalId }) => ({
    what: kindNames.get(kind) ?? String(kind),
    amount: showAmount(amount, currency),
    from: fromAccountNo,
    to: toAccountNo,
    at: formatTimestamp(at),
    no: toReferenceNo(journalId),
  }));
  return formatTable(movementColumns, rows);
}

const listColumns = {
  no: "transfer",
  rail: "rail",
  payer: "payer",
  bank: "bank",
  beneficiary: "beneficiary",
  travels: "sent amount",
  currency: "currency",
  state: "state",
  accepted: "accepted",
  inquiries: "inquiries",
  next: "next inquiry",
};

export function formatTransfers(found: readonly FoundTransfer[]): string {
  const rows = found.map(({ transfer, payerAccountNo, facts, dueAt }) => {
    const { request } = parseFacts<RailFacts>(facts);
    return {
      no: toReferenceNo(transfer.id),
      rail: transfer.rail,
      payer: payerAccountNo,
      bank: request.beneficiaryBankCode,
      beneficiary: request.beneficiaryAccountNo,
      travels: showAmount(transfer.travels, transfer.currency),
      currency: transfer.currency,
      state: transfer.state,
      accepted: formatTimestamp(transfer.at),
      inquiries: transfer.attempts,
      next: formatTimestamp(dueAt),
    };
  });
  return formatTable(listColumns, rows);
}
