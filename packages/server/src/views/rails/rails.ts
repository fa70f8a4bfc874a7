/** Rails: terms, hours, and what is pending on them. */
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { suspensePartCount } from "../../ledger/accounts/suspense-part.ts";
import { nextChange, nextSettlement, rejectHours } from "../../ledger/rails/hours.ts";
import { timeOfDay } from "../../ledger/business-day.ts";
import { type RailName, railNames } from "../../ledger/rails/terms.ts";
import { sumBalances } from "../../store/reads/accounts.ts";
import { readOpenTransfers } from "../../store/reads/transfers.ts";
import type { QueryDeps } from "../query-deps.ts";

export interface RailSummary {
  readonly rail: RailName;
  /** Whether it takes transfers now. */
  readonly isOpen: boolean;
  /** Times of working days in Jakarta, such as `06:30`; undefined: always open. */
  readonly hours: { readonly from: string; readonly to: string } | undefined;
  /** When it closes, or opens (epoch ms, business time); undefined: it is always open. */
  readonly nextChangeAt: number | undefined;
  /** When it settles what waits (epoch ms, business time); undefined: each at once. */
  readonly nextSettlementAt: number | undefined;
  /** ISO 4217; the amounts are minor units of it. */
  readonly currency: string;
  readonly fee: bigint;
  readonly min: bigint;
  readonly max: bigint | undefined;
  /** Transfers without a result. */
  readonly pending: number;
  /** On its suspense account, all parts together: amounts and fees of these transfers and of items not submitted yet. */
  readonly suspense: bigint;
}

export async function listRails({ pool, clock, reference }: QueryDeps): Promise<readonly RailSummary[]> {
  const now = clock.now();
  const { rails, holidays } = reference.current().rails;
  const open = await readOpenTransfers(pool, now, 0);
  const summarize = async (rail: RailName): Promise<RailSummary> => {
    const terms = rails[rail];
    const { hours, settlements, currency, fee, min, max } = terms;
    return {
      rail,
      isOpen: rejectHours(terms, holidays, now) === undefined,
      hours: hours && { from: timeOfDay(hours.from), to: timeOfDay(hours.to) },
      nextChangeAt: nextChange(terms, holidays, now),
      nextSettlementAt: settlements && nextSettlement(terms, holidays, now),
      currency,
      fee,
      min,
      max,
      pending: open.get(rail)?.open ?? 0,
      suspense: await sumBalances(pool, suspenseNosOf(rail, currency)),
    };
  };
  return Promise.all(railNames.map(summarize));
}

/** Of all parts of the rail's suspense account. */
function suspenseNosOf(rail: RailName, currency: string): readonly string[] {
  return Array.from({ length: suspensePartCount }, (_, part) => internalAccountNo("suspense", currency, rail, part));
}
