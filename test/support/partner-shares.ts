/** Turns of partners for nodes of a test: as many at once as it has connections, and many that wait. */
import { createPartnerShares, type PartnerShares } from "../../packages/server/src/operations/partner-shares.ts";

export function testPartnerShares(): PartnerShares {
  return createPartnerShares({ running: 4, runningOfOnePartner: 4, waiting: 4_096, waitingOfOnePartner: 4_096 });
}
