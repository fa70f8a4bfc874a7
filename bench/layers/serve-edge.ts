/** The service's edge with all its checks, over an operation 17 that answers success without looking at a database. */
import { randomBytes } from "node:crypto";
import type { Handler } from "../../packages/server/src/interfaces/call.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createTokens } from "../../packages/server/src/edge/authentication/tokens.ts";
import { createEdge } from "../../packages/server/src/edge/create-edge.ts";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { createMetrics } from "../../packages/server/src/observability/metrics.ts";
import { edgeSettings } from "../../test/support/edge/edge-settings.ts";
import { createLayerPartner } from "./layer-partner.ts";

const clock = createClock();
const partner = createLayerPartner();
const { credentials } = partner;
const intrabankTransfer: Handler = ({ request }) =>
  Promise.resolve({ case: "success", fields: { referenceNo: toReferenceNo(newId()), ...request } });

const edge = await createEdge({
  settings: edgeSettings,
  clock,
  log: createLog({ level: "info" }),
  hideSecrets: (text) => text,
  metrics: createMetrics(),
  tokens: createTokens({ keys: [{ id: "bench", key: randomBytes(32) }], clock }),
  partners: {
    byKey: (key) => (key === credentials.key ? credentials : undefined),
    byPartnerId: (partnerId) => (partnerId === credentials.partnerId ? credentials : undefined),
    byClientKey: (clientKey) => (clientKey === credentials.clientKey ? credentials : undefined),
    isStale: () => false,
    isGrantEnded: () => false,
  },
  customerGrants: { redeem: () => Promise.resolve("invalid") },
  handlers: { intrabankTransfer },
  hasCapacity: () => true,
  readiness: () => ({ ready: true, checks: {} }),
});
const { baseUrl } = await edge.listen(0, "127.0.0.1");
process.send?.(partner.callerAt(Number(new URL(baseUrl).port)));
process.on("disconnect", () => process.exit());
