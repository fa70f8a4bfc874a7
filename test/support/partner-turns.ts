/** Turns of partners for nodes of a test: as many at once as it has connections, and many that wait. */
import { createPartnerTurns, type PartnerTurns } from "../../packages/server/src/operations/partner-turns.ts";

export function testPartnerTurns(): PartnerTurns {
  return createPartnerTurns({ running: 4, runningOfOnePartner: 4, waiting: 4_096, waitingOfOnePartner: 4_096 });
}
