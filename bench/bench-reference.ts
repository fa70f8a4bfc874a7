/** Reference data that `decide` gets beside the locked rows, in benches without a service. */
import { homeAlone } from "../packages/server/src/ledger/reference/directory.ts";
import { loadRailData } from "../packages/server/src/admin/rail-data/rail-data.ts";
import type { Reference } from "../packages/server/src/ledger/reference/reference-data.ts";
import { paymentRequestLimits } from "../test/support/payment-request-limits.ts";

export const benchReference: Reference = {
  version: 1,
  partners: new Map(),
  closed: new Set(),
  directory: homeAlone,
  merchants: new Map(),
  idempotencyWindowMs: 86_400_000,
  holdEventsMax: 1,
  paymentRequests: paymentRequestLimits,
  rails: loadRailData({ ownBankCode: "999" }),
};
