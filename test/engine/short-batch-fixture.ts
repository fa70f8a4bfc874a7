/** Engines with the accounts of the tests of short batches, and the statements that they send. */
import { Client } from "pg";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { noEvents } from "../../packages/server/src/engine/batch/events.ts";
import type { Command } from "../../packages/server/src/engine/command.ts";
import { createEngine, type Engine, type EngineOptions } from "../../packages/server/src/engine/engine.ts";
import { openSession, type Session } from "../../packages/server/src/store/postgres/session.ts";
import { useDatabase } from "../support/database/database.ts";
import { kindOf } from "./decide.ts";
import { accounts, seedAccounts } from "./seed-accounts.ts";
import { referenceWith, type Transfer, transferCommand } from "./transfers.ts";

const reference = referenceWith(86_400_000);

export const pay = async ({ submit }: Pick<Engine, "submit">, command: Command<unknown>) =>
  kindOf(await submit(command));

/** On a database of its own. */
export async function createShortBatchFixture() {
  const database = await useDatabase();
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await seedAccounts(client, accounts(80, 1_000n));
  let calls = 0;
  let accountsUsed = 0;
  return {
    client,
    ownerUrl: database.ownerUrl,
    /** Two accounts that no other test uses. */
    pair: (): { readonly from: string; readonly to: string } => {
      accountsUsed += 2;
      return { from: String(accountsUsed - 1), to: String(accountsUsed) };
    },
    call: (parts: Pick<Transfer, "from" | "to"> & Partial<Transfer>) =>
      transferCommand({ amount: 1n, externalId: `short-${(calls += 1)}`, ...parts }),
    balanceOf: async (accountNo: string): Promise<number> => {
      const text = "select balance::int as balance from accounts where account_no = $1";
      return ((await client.query(text, [accountNo])).rows[0] as { balance: number }).balance;
    },
    startEngine: (spoil?: (session: Session) => Session, clock?: EngineOptions["clock"]) =>
      startRecording(database.url, spoil, clock),
    end: async () => {
      await client.end();
      await database.drop();
    },
  };
}

async function startRecording(
  url: string,
  spoil: (session: Session) => Session = (session) => session,
  clock: EngineOptions["clock"] = createClock(),
) {
  const sent: string[] = [];
  const open = async () => {
    const session = spoil(await openSession(url, "short batches"));
    const run: Session["run"] = (statement, values) => {
      sent.push(statement.name);
      return session.run(statement, values);
    };
    return { ...session, run };
  };
  const failures: string[] = [];
  const events = { ...noEvents, failed: (kind: string) => void failures.push(kind) };
  const engine = await createEngine({ open, clock, reference: () => reference, events });
  return {
    submit: engine.submit,
    /** Classes of the failures so far. */
    failures,
    /** True: accounts were locked and loaded since it was asked last; false: all was written in one round trip. */
    loaded: () => sent.splice(0).includes("lock-accounts"),
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
