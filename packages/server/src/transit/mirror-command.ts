/** The command that mirrors an entry in the payee's cell. It has no keys: the version of the account says what was done. */
import { newId } from "../basics/ids.ts";
import type { Command } from "../engine/command.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import type { LockedRows } from "../engine/rows/lock-order.ts";
import type { Account } from "../ledger/accounts/account.ts";
import { merchantOfAccount, newMerchantAccount } from "../ledger/transit/merchant-account.ts";
import { decideMirror } from "../ledger/transit/mirror.ts";
import type { Transit } from "../ledger/transit/transit-account.ts";
import type { PaidEntry, Payee } from "./find-payees.ts";

export interface MirrorOrder extends PaidEntry {
  readonly transit: Transit;
  /** Id of the mirrored account. */
  readonly account: string;
  /** Real time (epoch ms). */
  readonly deadline: number;
  /**
   * True: unapplied funds are locked with it. Without them, a credit that goes there is decided in the next batch, and what is behind
   * it has to be sent again.
   */
  readonly mayDivert: boolean;
}

export interface Mirrored {
  readonly isDiverted: boolean;
}

export function mirrorCommand(order: MirrorOrder): Command<Mirrored> {
  const { transit, account, entry, payee, deadline, mayDivert } = order;
  const { from, to, currency } = transit;
  const own = [internalAccountNo("transit", currency, "in", from)];
  if (mayDivert) own.push(internalAccountNo("unclaimed", currency));
  return {
    id: newId(to),
    deadline,
    locks: {
      accountNumbers: payee && "accountNo" in payee ? [...own, payee.accountNo] : own,
      ...(payee && "id" in payee && { accountIds: [payee.id] }),
    },
    decide: (found) => {
      const decision = decideMirror(
        { transit, account, ...entry },
        {
          payee: payee && payeeIn(found, payee),
          newPayee: payee && merchantToOpen(found, payee, to),
          found: found.internalAccount("transit", currency, "in", from),
          // Hardly ever asked for.
          get newId() {
            return newId(to);
          },
          unapplied: {
            find: (...name) => found.internalAccount(...name),
            get newId() {
              return newId(to);
            },
          },
        },
      );
      if (decision.kind !== "effect") return decision;
      const { isDiverted, ...effect } = decision.effect;
      return { kind: "effect", effect: { ...effect, payload: { isDiverted } } };
    },
  };
}

function payeeIn(found: LockedRows, payee: Payee): Account | undefined {
  return "id" in payee ? found.accountById(payee.id) : found.account(payee.accountNo);
}

/** A merchant's account in this cell that is not there. */
function merchantToOpen(found: LockedRows, payee: Payee, cell: number): Account | undefined {
  const of = "accountNo" in payee ? merchantOfAccount(payee.accountNo) : undefined;
  if (!of || payeeIn(found, payee)) return undefined;
  return newMerchantAccount(newId(cell), of.currency, of.merchant);
}
