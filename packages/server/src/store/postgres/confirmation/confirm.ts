/** Confirmation: a commit that waits until all that was committed before it has reached the synchronous standbys, too. */
import type { ConfirmedCommit } from "./confirmed-commit.ts";
import { beginTransaction, ConnectionLost, type Session, type Statement } from "../session.ts";

/**
 * It writes a line of the log that says nothing, and no row: a transaction that writes nothing waits for no standby, and a
 * row would be one more to vacuum.
 */
const confirmation: Statement = {
  name: "write-confirmation",
  text: "select pg_logical_emit_message(true, 'titian', '')",
};

/** Makes the commit of the open transaction wait for the standbys, whatever else it writes. */
export async function writeConfirmation(session: Session): Promise<void> {
  await session.run(confirmation);
}

/**
 * A transaction that only reads waits for nothing: it would answer from a row whose own wait for a standby was cancelled.
 *
 * @throws ConnectionLost when this commit is not sure either.
 */
export async function confirmReplication(session: Session): Promise<ConfirmedCommit> {
  try {
    const [, , commit] = await session.roundTrip(() =>
      Promise.all([beginTransaction(session), writeConfirmation(session), session.commit()]),
    );
    if (!commit) throw new ConnectionLost("rolled back");
    return commit;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `A commit was not confirmed (${reason}): look whether the synchronous standby answers.`;
    throw new ConnectionLost(message, { cause: error });
  }
}
