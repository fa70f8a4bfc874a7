/** A session on a real connection that fails as told, at the moments that matter. */
import { ConnectionLost, type Session } from "../../src/store/session.ts";

/**
 * loadLost: the connection breaks while the accounts are locked · commitLost: it breaks before the commit reaches
 * PostgreSQL · answerLost: the commit goes through, its answer does not come · rolledBack: the commit is answered as a
 * rollback, with no statement to blame.
 */
export type Fault = "loadLost" | "commitLost" | "answerLost" | "rolledBack";

/** `next` is asked once for each first trip and once for each commit, with what may go wrong there. */
export function faultySession(session: Session, next: (possible: readonly Fault[]) => Fault | undefined): Session {
  let lost = false;
  const lose = async (): Promise<never> => {
    lost = true;
    await session.close();
    throw new ConnectionLost("broken by the test");
  };
  const unlessLost = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    return lost ? lose() : value;
  };
  return {
    run: (statement, values) => {
      if (lost || (statement.name === "lock-accounts" && next(["loadLost"]) !== undefined)) return lose();
      return unlessLost(session.run(statement, values));
    },
    commit: async () => {
      if (lost) return lose();
      switch (next(["commitLost", "answerLost", "rolledBack"])) {
        case "commitLost":
          return lose();
        case "answerLost":
          await session.commit();
          return lose();
        case "rolledBack":
          await session.run({ name: "rollback", text: "rollback" });
          return false;
        default:
          return unlessLost(session.commit());
      }
    },
    trip: (send) => session.trip(send),
    isLost: () => lost || session.isLost(),
    close: () => {
      lost = true;
      return session.close();
    },
  };
}
