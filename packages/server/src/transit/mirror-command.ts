/** The command that mirrors an entry in the payee's cell. It has no keys: the version of the account says what was done. */
import { newId } from "../basics/ids.ts";
import type { Command } from "../engine/command.ts";
import { internalAccountNo } from "../ledger/accounts/internal-accounts.ts";
import { decideMirror } from "../ledger/transit/mirror.ts";
import type { Transit } from "../ledger/transit/transit-account.ts";
import type { StoredTransitEntry } from "../store/reads/transit.ts";

export interface MirrorOrder {
  readonly transit: Transit;
  /** Id of the mirrored account. */
  readonly account: string;
  readonly entry: StoredTransitEntry;
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

export function mirrorCommand({ transit, account, entry, deadline, mayDivert }: MirrorOrder): Command<Mirrored> {
  const { from, to, currency } = transit;
  const payeeNo = payeeOf(entry.payload);
  const own = [internalAccountNo("transit", currency, "in", from)];
  if (mayDivert) own.push(internalAccountNo("unclaimed", currency));
  return {
    id: newId(to),
    deadline,
    locks: { accountNumbers: payeeNo === undefined ? own : [...own, payeeNo] },
    decide: (found) => {
      const decision = decideMirror(
        { transit, account, ...entry },
        {
          payee: payeeNo === undefined ? undefined : found.account(payeeNo),
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

/** Number of the account that a payment names; undefined: its record is missing or unreadable, and the credit is diverted. */
function payeeOf(payload: string | undefined): string | undefined {
  try {
    const { to, request } = JSON.parse(payload ?? "{}") as {
      to?: unknown;
      request?: { beneficiaryAccountNo?: unknown };
    };
    const number = to ?? request?.beneficiaryAccountNo;
    // PostgreSQL rejects a text with NUL; numbers of our own have a colon, and no payment names one.
    return typeof number === "string" && !number.includes("\0") && !number.includes(":") ? number : undefined;
  } catch {
    return undefined;
  }
}
