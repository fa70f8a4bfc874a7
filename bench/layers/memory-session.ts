/**
 * A session that answers the write path of intrabank transfers from memory: what is left of a transfer's cost in Node is
 * the operation, the decision and the encoding of rows, without the driver, the socket and PostgreSQL.
 */
import { confirmReplication } from "../../packages/server/src/store/postgres/confirmation/confirm.ts";
import { openSession, type Session, type TextRow } from "../../packages/server/src/store/postgres/session.ts";
import { accountColumns, readAccount } from "../../packages/server/src/store/tables/accounts.ts";
import { rememberIds } from "../../packages/server/src/store/tables/known-account-ids.ts";

const allAccounts = { name: "all-accounts", text: `select ${accountColumns.sql} from accounts` };
/** Bytes of a binary array: before its first element, of an element's length, and of an id. */
const [headBytes, lengthBytes, idBytes] = [20, 4, 16];

/** Reads the accounts once; they stay as they are, whatever is written. */
export async function openMemorySession(url: string): Promise<Session> {
  const { rows, commit } = await readAccounts(url);
  const rowsById = new Map(rows.map((row) => [bareId(String(row[accountColumns.at.id])), row]));
  const nextTurn = createTurns();
  const session: Session = {
    run: async ({ name }, values = []) => {
      await nextTurn();
      const ids = values.at(-1);
      // It finds no repeats and no rejections, and writes answer no rows.
      return name === "lock-accounts" && Buffer.isBuffer(ids) ? findRows(rowsById, ids) : [];
    },
    commit: async () => {
      await nextTurn();
      return commit;
    },
    roundTrip: (send) => send(),
    isLost: () => false,
    close: () => Promise.resolve(),
  };
  rememberIds(session, rows.map(readAccount));
  return session;
}

/** And a confirmed commit, which stands for all of the bench. */
async function readAccounts(url: string) {
  const session = await openSession(url, "bench engine");
  try {
    return { rows: await session.run(allAccounts), commit: await confirmReplication(session) };
  } finally {
    await session.close();
  }
}

function findRows(rowsById: ReadonlyMap<string, TextRow>, ids: Buffer): readonly TextRow[] {
  const found: TextRow[] = [];
  for (let at = headBytes + lengthBytes; at < ids.length; at += lengthBytes + idBytes) {
    const row = rowsById.get(ids.toString("hex", at, at + idBytes));
    if (row) found.push(row);
  }
  return found;
}

function bareId(id: string): string {
  return id.replaceAll("-", "");
}

/** Statements sent in one turn of the event loop are answered together in the next, as those of a packet are. */
function createTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}
