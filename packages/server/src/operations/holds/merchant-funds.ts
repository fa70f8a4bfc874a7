/**
 * Holds where merchants have accounts in several cells (docs/adr/0096-merchants-in-cells.md): a refund draws what its cell lacks from the
 * merchant's other accounts first, and what a capture earned goes to the settlement account at once.
 */
import { operations, type RequestOf } from "@titian/contract";
import type { LockedHold } from "../../engine/rows/holds.ts";
import type { Call, Handler } from "../../interfaces/call.ts";
import { spendable } from "../../ledger/accounts/account.ts";
import { refundable } from "../../ledger/holds/refund.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import { merchantKeyOf, type MerchantTerms, type Reference } from "../../ledger/reference/reference-data.ts";
import { merchantOf } from "../merchant.ts";
import { readOptional } from "../money.ts";
import { tryLater, write, type WriteDeps } from "../write.ts";
import { authRefund, handleAuthRefund, namedCapture } from "./auth-refund.ts";

/** A merchant's money in all cells, as one of them reaches it. */
export interface MerchantFunds {
  /**
   * Draws an amount from the merchant's accounts in other cells. `short`: together they have less, and nothing was drawn; `silent`: a cell did
   * not answer, or the money has not arrived yet.
   */
  draw(wanted: WantedFunds): Promise<"drawn" | "short" | "silent">;
  /** Keeps what a refund needs on the account in this cell from the sweeps of this node, until it is disposed of. */
  reserve(wanted: WantedFunds): Disposable;
  /** Sends what the merchant has in this cell to its settlement account, and waits for a moment until it is there. Absent: it has that here. */
  sweep?(merchant: MerchantTerms): Promise<void>;
}

export interface WantedFunds {
  readonly merchant: MerchantTerms;
  readonly currency: string;
  /** Minor units that the account lacks, and that the refund takes in all. */
  readonly amount: Minor;
  readonly needed: Minor;
}

export interface MerchantFundsDeps extends WriteDeps {
  /** Absent: one database has all accounts. */
  readonly merchantFunds?: MerchantFunds | undefined;
}

/** Others may take what was drawn, such as the job that sweeps it back. */
const triesMax = 3;

/** Refund (69) with the merchant's money in all cells. */
export function handleRefundInCells(deps: MerchantFundsDeps): Handler {
  const { merchantFunds } = deps;
  const alone = handleAuthRefund(deps);
  if (!merchantFunds) return alone;
  return async (call) => {
    if (deps.reference().directory.cells.length === 1) return alone(call);
    using reserved = new DisposableStack();
    for (let tries = 0; tries < triesMax; tries += 1) {
      let lacking: WantedFunds | undefined;
      const reply = await write(
        operations.authRefund,
        unlessLacking((wanted) => (lacking = wanted)),
      )(deps)(call);
      if (!lacking) return reply;
      if (tries === 0) reserved.use(merchantFunds.reserve(lacking));
      const drawn = await merchantFunds.draw(lacking);
      if (drawn === "short") return await alone(call);
      if (drawn === "silent") return tryLater;
    }
    return tryLater;
  };
}

/** The refund, of which nothing is recorded where the account in this cell lacks money for it. */
function unlessLacking(onLacking: (wanted: WantedFunds | undefined) => void): typeof authRefund {
  return {
    ...authRefund,
    decide: (order, found, context) => {
      const decision = authRefund.decide(order, found, context);
      onLacking(undefined);
      if (decision.kind !== "rejection" || decision.rejection.kind !== "insufficientFunds") return decision;
      const hold = found.hold();
      const wanted = hold && wantedFor(hold, order.request, context);
      if (!wanted) return decision;
      onLacking(wanted);
      return { kind: "nothing" };
    },
  };
}

function wantedFor(
  { hold, captures, settlement }: LockedHold,
  request: RequestOf<"authRefund">,
  { now, reference }: { readonly now: number; readonly reference: Reference },
): WantedFunds | undefined {
  const merchant = reference.merchants.get(merchantKeyOf(hold.partner, hold.merchantId));
  const asked = readOptional(request.refundAmount);
  if (!merchant || asked === "tooFine") return undefined;
  // The merchant has another settlement account by now: what is drawn would not come to this one.
  if (settlement.purpose === "customer" && settlement.id !== merchant.settlementAccount) return undefined;
  const needed = asked?.amount ?? refundable(captures, namedCapture(request), now);
  const amount = minor(needed - (spendable(settlement) ?? 0n));
  return { merchant, currency: hold.currency, amount, needed };
}

/** Capture (65) in a cell that has not the settlement account: the merchant sees the money there when it is answered, as anywhere. */
export function sweepAfter({ merchantFunds, reference }: MerchantFundsDeps, handler: Handler): Handler {
  const sweep = merchantFunds?.sweep;
  if (!sweep) return handler;
  return async (call: Call) => {
    const reply = await handler(call);
    const merchant = reply.case === "success" ? merchantOf(call, reference()) : undefined;
    if (merchant) await sweep(merchant);
    return reply;
  };
}
