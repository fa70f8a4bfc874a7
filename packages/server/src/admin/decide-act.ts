/** An operator's decision on an act that another one has proposed. */
import type { StatementPool } from "../store/postgres/connect.ts";
import { type ActState, decideAct } from "../store/tables/acts.ts";

export interface ActDeps {
  /** Connections of the operator. */
  readonly database: StatementPool;
}

/** `hash`: of the proposal as it was read, in hexadecimal digits. @returns the state of the act. @throws PostgreSQL's own error where the operator has no right to it */
export function approveAct({ database }: ActDeps, id: string, hash: string): Promise<ActState> {
  return decideAct(database, id, { hash });
}

/** As `approveAct`. */
export function refuseAct(
  { database }: ActDeps,
  id: string,
  refusal: { readonly hash: string; readonly reason: string },
): Promise<ActState> {
  return decideAct(database, id, refusal);
}
