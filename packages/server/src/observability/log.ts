/**
 * Log lines as JSON. A line holds its event, its message and the fields named here, nothing else: bodies, headers, tokens,
 * signatures and secrets have no field, so they cannot be logged by mistake.
 */
import { pino } from "pino";
import type { LogEvent } from "./log-event.ts";

/** All that a line may hold beside level, time, event and message. */
interface LogFields {
  readonly correlationId?: string | undefined;
  readonly externalId?: string | undefined;
  /** `X-PARTNER-ID`. */
  readonly partner?: string | undefined;
  readonly operation?: string | undefined;
  /** Seven digits. */
  readonly responseCode?: string | undefined;
  readonly address?: string | undefined;
  /** One word of a fixed list. */
  readonly reason?: string | undefined;
  readonly referenceNo?: string | undefined;
  readonly rail?: string | undefined;
  /** Number of the cell, where the node serves several; of home, nothing. */
  readonly cell?: number | undefined;
  /** Result that a rail reported. */
  readonly status?: string | undefined;
  /** The rail's own number of a transfer. */
  readonly traceNo?: string | undefined;
  readonly commandId?: string | undefined;
  readonly job?: string | undefined;
  readonly setting?: string | undefined;
  /** Code of PostgreSQL: five characters. */
  readonly sqlState?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly count?: number | undefined;
  /** Fencing number of a rail's lease. */
  readonly fencingNumber?: number | undefined;
  readonly processId?: number | undefined;
  /** Cells of a payer and a payee. */
  readonly fromCell?: number | undefined;
  readonly toCell?: number | undefined;
  /** ISO 4217. */
  readonly currency?: string | undefined;
  readonly table?: string | undefined;
  /** User of the database. */
  readonly user?: string | undefined;
  readonly since?: string | undefined;
  /** From 1. */
  readonly worker?: number | undefined;
  readonly differenceMs?: number | undefined;
  /** Only its name, code, message and stack are logged. */
  readonly error?: unknown;
}

export interface Log {
  /** True: debug lines are written; ask before building one on a hot path. */
  readonly isDebug: boolean;
  debug(event: LogEvent, message: string, fields?: LogFields): void;
  warn(event: LogEvent, message: string, fields?: LogFields): void;
  error(event: LogEvent, message: string, fields?: LogFields): void;
}

/** Each line says which cell it is about. */
export function logOfCell(log: Log, cell: number): Log {
  return {
    isDebug: log.isDebug,
    debug: (event, message, fields) => log.debug(event, message, { ...fields, cell }),
    warn: (event, message, fields) => log.warn(event, message, { ...fields, cell }),
    error: (event, message, fields) => log.error(event, message, { ...fields, cell }),
  };
}

interface LogOptions {
  readonly level: string;
  /** Where lines go; standard output by default. */
  readonly destination?: { write(line: string): void };
}

const named = [
  "correlationId",
  "externalId",
  "partner",
  "operation",
  "responseCode",
  "address",
  "reason",
  "referenceNo",
  "rail",
  "cell",
  "status",
  "traceNo",
  "commandId",
  "job",
  "setting",
  "sqlState",
  "method",
  "path",
  "count",
  "fencingNumber",
  "processId",
  "fromCell",
  "toCell",
  "currency",
  "table",
  "user",
  "since",
  "worker",
  "differenceMs",
] as const satisfies readonly Exclude<keyof LogFields, "error">[];

const textLengthMax = 500;

export function createLog({ level, destination }: LogOptions): Log {
  const options = { level, base: null };
  const out = destination === undefined ? pino(options) : pino(options, destination);
  return {
    isDebug: out.isLevelEnabled("debug"),
    debug: (event, message, fields) => out.debug(pick(event, fields), message),
    warn: (event, message, fields) => out.warn(pick(event, fields), message),
    error: (event, message, fields) => out.error(pick(event, fields), message),
  };
}

function pick(event: LogEvent, fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = { event };
  for (const name of named) {
    const value = fields[name];
    if (typeof value === "number") line[name] = value;
    else if (value !== undefined) line[name] = String(value).slice(0, textLengthMax);
  }
  if (fields.error !== undefined) line["error"] = describeError(fields.error);
  return line;
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = error.stack?.split("\n").filter((line) => line.startsWith("    at "));
  return { name: error.name, code, message: messageOf(error), stack: frames?.slice(0, 20).join("\n") };
}

/** V8 quotes the text it could not parse, which may be a body; of such an error only the name is logged. */
function messageOf(error: Error): string | undefined {
  return error instanceof SyntaxError ? undefined : error.message.slice(0, textLengthMax);
}
