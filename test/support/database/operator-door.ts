/** A bank with operators at a door, as a node's console has one. */
import type { Pool } from "pg";
import { newSecret } from "../../../packages/server/src/basics/ids.ts";
import { asOperator } from "../../../packages/server/src/store/postgres/as-operator.ts";
import { createAdminPool } from "../../../packages/server/src/store/postgres/connect.ts";
import { queryRows } from "../../../packages/server/src/store/postgres/query-rows.ts";
import type { TextRow } from "../../../packages/server/src/store/postgres/session.ts";
import { openOperatorSession } from "../../../packages/server/src/store/tables/operator-sessions.ts";
import { door, issuer, useBank } from "./operators.ts";

/** A bank with a door, Budi as one more operator, and connections of the door. */
export async function useDoor(original: string, ...roles: readonly string[]) {
  const bank = await useBank(original);
  await bank.hire(...roles);
  await bank.openDoor();
  const pool = createAdminPool(bank.urlOf(door), 2);
  const enter = async (subject: string, hasSecondFactor = true) => {
    const secret = newSecret(32);
    const whose = { issuer, subject, secret, hasSecondFactor };
    const { sessionId = "", knownAs } = await openOperatorSession(pool, {
      ...whose,
      cameBy: "console",
      address: "::1",
    });
    return { secret, sessionId, knownAs, own: asOperator(pool, secret) };
  };
  const run = (own: Pool, text: string): Promise<readonly TextRow[]> => queryRows(own, { text });
  return {
    ...bank,
    pool,
    enter,
    run,
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await bank[Symbol.asyncDispose]();
    },
  };
}
