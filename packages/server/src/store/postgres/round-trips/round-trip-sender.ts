/** Sends statements by their names in round trips, and has each prepared before its first. */
import { type Client, DatabaseError } from "pg";
import { Preparation, type Settle, type Statement, type StatementValue, RoundTrip } from "./round-trip.ts";
import type { SilenceWatch } from "./watch-silence.ts";

interface RoundTripSender {
  /** Its rejections say what kept the statement from running. */
  readonly send: (statement: Statement, values: readonly StatementValue[], settle: Settle) => void;
  readonly roundTrip: <T>(work: () => T) => T;
}

/** The statement's plan is of a table as it was, or gone: only a new session prepares it anew. */
export class StalePlan extends Error {
  override readonly name = "StalePlan";
}

/** invalid_sql_statement_name: there is no such statement. */
const notPrepared = "26000";
/** in_failed_sql_transaction */
const brokenTransaction = "25P02";
/** With this code feature_not_supported is "cached plan must not change result type". */
const stalePlanCodes: readonly unknown[] = ["0A000", notPrepared];

export function createRoundTripSender(client: Client, silence: SilenceWatch): RoundTripSender {
  const { prepare, settleOf } = createPreparations(client);
  /** In the order of their responses. */
  const unanswered = new Set<RoundTrip>();
  /** The round trip that statements join. */
  let open: RoundTrip | undefined;
  client.on("notice", () => {
    const [running] = unanswered;
    running?.warn();
  });

  function newRoundTrip(): RoundTrip {
    const trip = new RoundTrip(() => {
      if (unanswered.delete(trip)) silence.answered();
    });
    return trip;
  }

  function leave(trip: RoundTrip): void {
    if (trip.isEmpty) return;
    unanswered.add(trip);
    silence.sent();
    try {
      client.query(trip);
    } catch (error) {
      // Half of it may be on the wire: nothing behind it would be answered as itself.
      client.connection.stream.destroy();
      throw error;
    }
  }

  /** Inside another it is a round trip of its own, behind what the other one has sent so far. */
  function roundTrip<T>(work: () => T): T {
    const outer = open;
    if (outer) leave(outer);
    open = newRoundTrip();
    try {
      return work();
    } finally {
      const own = open;
      open = outer && newRoundTrip();
      leave(own);
    }
  }

  return {
    send: (statement, values, settle) => {
      prepare(statement);
      const own = settleOf(statement, settle);
      if (open) open.add(statement, values, own);
      else roundTrip(() => (open as RoundTrip).add(statement, values, own));
    },
    roundTrip,
  };
}

function createPreparations(client: Client) {
  /** Statements that were sent to be prepared, and those that have run. */
  const prepared = new Set<string>();
  const hasRun = new Set<string>();
  /** Errors of the last tries to prepare a statement. */
  const failed = new Map<string, Error>();
  /** The error that may have broken the open transaction while a statement was prepared in it. */
  let broke: Error | undefined;

  function prepare(statement: Statement): void {
    const { name } = statement;
    if (prepared.has(name)) return;
    prepared.add(name);
    const preparation = new Preparation(statement, (error) => {
      if (!error) return;
      prepared.delete(name);
      failed.set(name, error);
      if (codeOf(error) !== brokenTransaction) broke = error;
    });
    client.query(preparation);
  }

  const settleOf = ({ name }: Statement, settle: Settle): Settle => ({
    resolve: (result) => {
      hasRun.add(name);
      broke = undefined;
      settle.resolve(result);
    },
    reject: (error) => settle.reject(error instanceof DatabaseError ? causeOf(name, error) : error),
  });

  /** PostgreSQL says of a statement that it could not prepare only that there is none, and of others that the transaction is broken. */
  function causeOf(name: string, error: DatabaseError): Error {
    if (hasRun.has(name) && stalePlanCodes.includes(error.code)) return new StalePlan(error.message, { cause: error });
    if (error.code === notPrepared) return failed.get(name) ?? error;
    return error.code === brokenTransaction ? (broke ?? error) : error;
  }

  return { prepare, settleOf };
}

function codeOf(error: Error): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}
