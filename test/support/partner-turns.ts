/** Turns of reads for nodes of a test: as many as it has connections, and a long line. */
import { createReadTurns, type ReadTurns } from "../../packages/server/src/operations/read-limiter.ts";

export function testReadTurns(): ReadTurns {
  return createReadTurns({ running: 4, runningOfOnePartner: 4, waiting: 4_096, waitingOfOnePartner: 4_096 });
}
