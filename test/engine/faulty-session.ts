/** A session on a real connection, with injected faults. */
import { ConnectionLost, type Session, type Statement } from "../../packages/server/src/store/postgres/session.ts";

/**
 * beginFails: the transaction does not open; statements behind it in the packet would commit by themselves · loadLost: the
 * connection breaks while the accounts are locked · conflict: PostgreSQL rejects the second round trip · commitLost: it breaks before the commit reaches
 * PostgreSQL · answerLost: the commit goes through, its response does not come · rolledBack: the commit is answered as a
 * rollback, with no statement to blame.
 */
export type Fault = "beginFails" | "loadLost" | "conflict" | "commitLost" | "answerLost" | "rolledBack";

export const everyFault: readonly Fault[] = [
  "beginFails",
  "loadLost",
  "conflict",
  "commitLost",
  "answerLost",
  "rolledBack",
];

/** Statements that lock accounts. */
const locking: ReadonlySet<string> = new Set(["lock-accounts", "write-short-batch", "write-one-request"]);

const rollback: Statement = { name: "rollback", text: "rollback" };
const conflict: Statement = {
  name: "conflict",
  text: "do $$ begin raise exception 'made by the test' using errcode = '40001'; end $$",
};

type NextFault = (possible: readonly Fault[]) => Fault | undefined;

/**
 * `next` chooses among the possible faults whenever a transaction begins, locks or commits; `isCut`: whether the connection
 * breaks before the statement of this name.
 */
export function faultySession(
  session: Session,
  next: NextFault,
  isCut: (statement: string) => boolean = () => false,
): Session {
  let lost = false;
  const lose = async (): Promise<never> => {
    if (!lost) {
      lost = true;
      await session.close();
    }
    throw new ConnectionLost("broken by the test");
  };
  const unlessLost = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    return lost ? lose() : value;
  };
  return {
    run: (statement, values) => {
      if (lost || isCut(statement.name) || (locking.has(statement.name) && next(["loadLost"]) !== undefined))
        return lose();
      const fails = statement.name === "begin" && next(["beginFails"]) !== undefined;
      return unlessLost(session.run(fails ? conflict : statement, values));
    },
    commit: async (sentAt) => {
      if (lost) return lose();
      switch (next(["conflict", "commitLost", "answerLost", "rolledBack"])) {
        case "conflict": {
          const rejected = session.run(conflict);
          rejected.catch(() => undefined);
          await session.commit(sentAt).catch(() => undefined);
          await rejected;
          return undefined;
        }
        case "commitLost":
          return lose();
        case "answerLost":
          await session.commit(sentAt);
          return lose();
        case "rolledBack":
          await session.run(rollback);
          return undefined;
        default:
          return unlessLost(session.commit(sentAt));
      }
    },
    roundTrip: (send) => session.roundTrip(send),
    isLost: () => lost || session.isLost(),
    close: () => {
      lost = true;
      return session.close();
    },
  };
}
