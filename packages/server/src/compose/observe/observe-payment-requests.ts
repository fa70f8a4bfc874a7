/** Payers whose open requests for payment (19) have reached the bound of all partners together (spec D12). */
import { LRUCache } from "lru-cache";
import type { Core } from "../core.ts";

/** A payer has a line in the log once in this time. */
const logIntervalMs = 60_000;
const payersMax = 1_000;

/** Gets the number of the payer's account at each such rejection: the partner is told the same as over its own bound. */
export function observeFullPayers({ log, metrics }: Pick<Core, "log" | "metrics">): (accountNo: string) => void {
  let rejected = 0;
  const metric = {
    name: "titian_payment_requests_payer_full_total",
    help: "Requests for payment (19) rejected because the payer has as many open ones of all partners as it may have.",
  };
  metrics.counter(metric, () => rejected);
  const logged = new LRUCache<string, true>({ max: payersMax, ttl: logIntervalMs });
  return (accountNo) => {
    rejected += 1;
    if (logged.has(accountNo)) return;
    logged.set(accountNo, true);
    // Without its number, which is personal: the command shows it.
    log.warn(
      "payment_request.payer_full",
      "A payer has as many open requests for payment as it may have: titian payment-request payers shows whose they are.",
    );
  };
}
