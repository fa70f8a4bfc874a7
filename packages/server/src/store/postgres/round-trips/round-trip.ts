/**
 * One round trip of a pipelined connection: statements behind each other with one Sync behind all of them, so that
 * PostgreSQL answers them in one piece. When one fails, PostgreSQL skips those behind it.
 */
import { type Connection, DatabaseError, Query } from "pg";

/** A statement that PostgreSQL prepares once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A parameter's value: a text, or an array in binary form (`statements/binary-arrays.ts`). */
export type StatementValue = string | number | Buffer | null;

/** A row as PostgreSQL sent it: text or null, in the order of the select list. */
export type TextRow = readonly (string | null)[];

export interface StatementResult {
  readonly rows: readonly TextRow[];
  /** The command tag, such as `COMMIT`. */
  readonly command: string;
  /** True: PostgreSQL warned while it ran this statement. */
  readonly warned: boolean;
}

/** Takes what became of a statement, once. */
export interface Settle {
  resolve(result: StatementResult): void;
  reject(error: Error): void;
}

/** PostgreSQL did not run the statement, because one before it in the same round trip failed. */
export class StatementSkipped extends Error {
  override readonly name = "StatementSkipped";
  readonly severity = "ERROR";
  /** As PostgreSQL itself says it of statements behind a failed one. */
  readonly code = "25P02";

  constructor(cause: Error) {
    super("A statement before it failed", { cause });
  }
}

interface Sent {
  readonly statement: Statement;
  readonly values: readonly StatementValue[];
  readonly rows: TextRow[];
  warned: boolean;
  readonly settle: Settle;
}

/** The driver hands what PostgreSQL sends to the oldest query that is not ready; in a pipeline that must be a `Query`. */
export class RoundTrip extends Query {
  readonly #sent: Sent[] = [];
  readonly #onEnd: () => void;
  #at = 0;
  /** The driver's time limit puts a function of its own before it, which it expects to be called at the end. */
  callback = (error: Error | null): void => {
    if (error) this.#fail(error);
    this.#onEnd();
  };

  constructor(onEnd: () => void) {
    super("");
    this.#onEnd = onEnd;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  add(statement: Statement, values: readonly StatementValue[], settle: Settle): void {
    this.#sent.push({ statement, values, rows: [], warned: false, settle });
  }

  /** PostgreSQL warned: of the statement that it is running. */
  warn(): void {
    const running = this.#sent[this.#at];
    if (running) running.warned = true;
  }

  override submit = (connection: Connection): void => {
    for (const { statement, values } of this.#sent) {
      connection.bind({ statement: statement.name, values: values.map(toWire) }, true);
      connection.execute(null, true);
    }
    connection.sync();
  };

  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#sent[this.#at]?.rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { rows, warned, settle } = this.#sent[this.#at] as Sent;
    this.#at += 1;
    settle.resolve({ rows, command: text, warned });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  #fail(error: Error): void {
    const [failed, ...behind] = this.#sent.splice(this.#at);
    failed?.settle.reject(error);
    // When the connection was lost or ended, PostgreSQL may have run them, a commit too.
    const isSkipped = error instanceof DatabaseError && error.severity === "ERROR";
    for (const { settle } of behind) settle.reject(isSkipped ? new StatementSkipped(error) : error);
  }
}

/** Has PostgreSQL prepare a statement, by itself: it is prepared or not whatever becomes of the round trip behind it. */
export class Preparation extends Query {
  readonly #statement: Statement;
  callback: (error: Error | null) => void;

  constructor(statement: Statement, onEnd: (error: Error | null) => void) {
    super("");
    this.#statement = statement;
    this.callback = onEnd;
  }

  override submit = (connection: Connection): void => {
    connection.parse({ ...this.#statement, types: [] }, true);
    connection.sync();
  };

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}

/** The driver writes no numbers. */
function toWire(value: StatementValue): string | Buffer | null {
  return typeof value === "number" ? String(value) : value;
}
