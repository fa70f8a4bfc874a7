/** Transfers over a rail as `titian transfer` shows them: where the money is, and what is known of its way. */
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

export interface TransferScene {
  readonly found: FoundTransfer;
  /** All of its journals, in their order. */
  readonly movements: readonly KeptMovement[];
  readonly partnerId: string | undefined;
  readonly payer: Account | undefined;
  readonly rails: RailData;
}

/** Who and where, what became of it, and where the money is. */
export function formatTransfer({ found, movements, partnerId = "", payer, rails }: TransferScene): string {
  const { transfer, externalId } = found;
  const { request } = parseFacts<RailFacts>(found.facts);
  const { status, meaning } = transferStates[transfer.state];
  const { rail, service, traceNo, refusal, state, travels, fee, currency } = transfer;
  const isAwaited = transfer.endJournal === undefined;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${partnerId}, as ${request.partnerReferenceNo}`],
    ["asked by", `service ${service}, X-EXTERNAL-ID ${externalId}`],
    ["rail", traceNo === undefined ? rail : `${rail}, which numbers it ${traceNo}`],
    ["payer", describeAccount(payer)],
    ["beneficiary", `${request.beneficiaryAccountNo} ${request.beneficiaryAccountName}`],
    ["at bank", describeBank(request.beneficiaryBankCode, rails)],
    ["state", `${state} (${status}): ${meaning}`],
    ["money is on", movements.findLast(({ kind }) => kind !== movementKinds.fee)?.toAccountNo],
    ["accepted", formatTimestamp(transfer.at)],
    ["ended", isAwaited ? undefined : describeEnd(transfer)],
    ["came back", transfer.returnJournal && describeWord(transfer.returnedBy)],
    ["refused as", refusal && `${refusal} (${rejectionOf({ kind: refusal }, String(service)).responseMessage})`],
    ["next look", isAwaited ? `${formatTimestamp(found.dueAt)}, ${transfer.attempts} so far` : undefined],
  ];
  const amounts = Object.entries({ taken: travels + fee, fee, travels }).map(
    ([name, amount]) => [name, showAmount(amount, currency)] as const,
  );
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Transfer ${toReferenceNo(transfer.id)}`,
    "",
    ...facts.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
    "",
    formatMovements(movements, currency),
  ].join("\n");
}

/** Only callers of 18 wait for a result. */
function describeEnd({ endedBy, service, isResolvedSynchronously }: RailTransfer): string {
  const by = describeWord(endedBy);
  if (service !== 18) return by;
  return isResolvedSynchronously ? `${by}, told in its call` : `${by}, after its call was answered 202`;
}

function describeWord(by: TransferWord | undefined): string {
  if (by === undefined) return "by whose word was not recorded";
  return by === "operator" ? "by an operator" : "by the rail";
}

function describeBank(code: string, rails: RailData): string {
  const bank = findBank(rails, code);
  return bank === undefined || bank === "own" ? code : `${code} ${bank.name}`;
}

const movementColumns = { what: "what", amount: "amount", from: "from", to: "to", at: "at", no: "our number" };

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
  travels: "travels",
  currency: "currency",
  state: "state",
  accepted: "accepted",
  looks: "looked at",
  next: "next look",
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
      looks: transfer.attempts,
      next: formatTimestamp(dueAt),
    };
  });
  return formatTable(listColumns, rows);
}
