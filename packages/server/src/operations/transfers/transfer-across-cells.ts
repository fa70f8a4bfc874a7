/**
 * Intrabank transfer (17) to an account in another cell: final by the commit in the payer's (docs/adr/0094-mirrored-transit.md). The
 * payee is read in its own cell first, without a lock; the caller waits for a moment until the payee has the money.
 */
import { operations, type RequestOf } from "@titian/contract";
import type { Call, Reply } from "../../interfaces/call.ts";
import { homeCell, newId } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { businessDay } from "../../ledger/business-day.ts";
import { reject } from "../../ledger/rejection.ts";
import { decideTransferAcrossCells } from "../../ledger/transit/pay-across-cells.ts";
import { isBehindMirror } from "../../ledger/transit/transit-account.ts";
import { readMoney, writeMoney } from "../money.ts";
import type { TransferPayload } from "../stored-payload.ts";
import { keptFields, write, type WriteDeps } from "../write.ts";
import { intrabankTransfer } from "./intrabank-transfer.ts";
import { type PayeeCell, type SeenPayee, seePayee, unlessElsewhere } from "./see-payee.ts";

/** The stream to the payee's cell. */
export interface TransitTo {
  /** True: nothing is shipped until an operator has repaired it. */
  isStopped(currency: string): boolean;
  /** Until the payee has the money, or for as long as a caller waits for it. */
  waitForMirror(entry: { readonly currency: string; readonly version: number }): Promise<boolean>;
}

export interface AcrossDeps extends WriteDeps {
  /** Undefined: this node does not serve the cell now. */
  payeeCell(cell: number): PayeeCell | undefined;
  transitTo(cell: number): TransitTo | undefined;
}

export type HandleAcross = (call: Call, cell: number) => Promise<Reply>;

export function handleTransferAcrossCells(deps: AcrossDeps): HandleAcross {
  return async (call, cell) => {
    const { beneficiaryAccountNo, amount } = call.request as RequestOf<"intrabankTransfer">;
    const { currency } = amount;
    const isStopped = deps.transitTo(cell)?.isStopped(currency) !== false;
    const wanted = {
      partner: call.partner.key,
      accountNo: beneficiaryAccountNo,
      from: deps.cell ?? homeCell,
      currency,
    };
    const seen = isStopped ? undefined : await seePayee(deps.payeeCell(cell), wanted);
    const payee = unlessElsewhere(seen, beneficiaryAccountNo, deps.reference().directory);
    return write(operations.intrabankTransfer, specOf(deps, cell, payee))(deps)(call);
  };
}

function specOf(deps: AcrossDeps, cell: number, seen: SeenPayee | undefined): typeof intrabankTransfer {
  const outId = newId(deps.cell);
  // Set by the last decision: the one whose commit is confirmed.
  let version = 0;
  return {
    ...intrabankTransfer,
    locks: ({ request }) => ({
      accountNumbers: [request.sourceAccountNo, internalAccountNo("transit", request.amount.currency, "out", cell)],
    }),
    decide: ({ request, partner }, found, { now }) => {
      const money = readMoney(request.amount);
      if (!money) return reject("currencyMismatch", "amount.value");
      // A repeat was answered before; nothing else is taken while nobody can say whether there is such an account.
      if (!seen) return { kind: "nothing" };
      const out = { found: found.internalAccount("transit", money.currency, "out", cell), newId: outId };
      if (isBehindMirror(out.found, seen.mirror)) return { kind: "nothing" };
      const order = { ...money, partner, day: businessDay(now), cell };
      const decision = decideTransferAcrossCells(order, found.account(request.sourceAccountNo), seen.account, out);
      if (decision.kind !== "effect") return decision;
      const { transitVersion, ...effect } = decision.effect;
      version = transitVersion;
      const payload: TransferPayload = { cell, request: { ...keptFields(request), amount: writeMoney(money) } };
      return { kind: "effect", effect: { ...effect, payload } };
    },
    awaitResult: async ({ id, at, payload }) => {
      const { amount } = payload.request;
      if (amount) await deps.transitTo(cell)?.waitForMirror({ currency: amount.currency, version });
      return { case: "success", fields: intrabankTransfer.response(payload, { id, at }) };
    },
  };
}
