/** Rails: terms, hours, and what is pending on them. */
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { suspensePartCount } from "../../ledger/accounts/suspense-part.ts";
import { nextChange, nextSettlement, rejectHours } from "../../ledger/rails/hours.ts";
import { timeOfDay } from "../../ledger/business-day.ts";
import { type RailName, railNames } from "../../ledger/rails/terms.ts";
import { sumBalances } from "../../store/reads/accounts.ts";
import { readOpenTransfers } from "../../store/reads/transfers.ts";
import type { QueryDeps, Shown } from "../query-deps.ts";

export type RailSummary = Shown<typeof listRails>[number];

export async function listRails({ pool, clock, reference }: QueryDeps) {
  const now = clock.now();
  const { rails, holidays } = reference.current().rails;
  const open = await readOpenTransfers(pool, now, 0);
  const summarize = async (rail: RailName) => {
    const terms = rails[rail];
    const { hours, settlements, currency, fee, min, max } = terms;
    return {
      rail,
      /** True: it takes transfers now. */
      isOpen: rejectHours(terms, holidays, now) === undefined,
      /** Times of working days in Jakarta, such as `06:30`; undefined: always open. */
      hours: hours && { from: timeOfDay(hours.from), to: timeOfDay(hours.to) },
      /** When it closes, or opens (epoch ms, business time); undefined: it is always open. */
      nextChangeAt: nextChange(terms, holidays, now),
      /** When it settles what waits (epoch ms, business time); undefined: each at once. */
      nextSettlementAt: settlements && nextSettlement(terms, holidays, now),
      /** The amounts are minor units of it. */
      currency,
      fee,
      min,
      max,
      /** Transfers without a result. */
      pending: open.get(rail)?.open ?? 0,
      /** On its suspense account, all parts together: amounts and fees of these transfers and of items not submitted yet. */
      suspense: await sumBalances(pool, suspenseNosOf(rail, currency)),
    };
  };
  return Promise.all(railNames.map(summarize));
}

/** Numbers of all parts of the rail's suspense account. */
function suspenseNosOf(rail: RailName, currency: string): readonly string[] {
  return Array.from({ length: suspensePartCount }, (_, part) => internalAccountNo("suspense", currency, rail, part));
}
