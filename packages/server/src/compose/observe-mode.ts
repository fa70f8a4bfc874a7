/** Whether this node answers inquiries alone (spec D17): a figure, and a sentence at the start that says what comes next. */
import type { Core } from "./core.ts";

const message =
  "This node answers inquiries alone: writes are answered 503, no job acts, and results of rails are not acknowledged. " +
  "Compare titian rails set-aside with the rails' records, then start without --inquiries-only and TITIAN_INQUIRIES_ONLY.";

export function observeMode({ config, metrics, log }: Core): void {
  const metric = { name: "titian_inquiries_only", help: "1 while this node answers inquiries alone." };
  metrics.gauge(metric, () => Number(config.inquiriesOnly));
  if (config.inquiriesOnly) log.warn("service.inquiries_only", message);
}
