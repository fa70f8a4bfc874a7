/**
 * Log lines as JSON. A line holds its message and the fields named here, nothing else: bodies, headers, tokens,
 * signatures and secrets have no field, so they cannot be logged by handing over too much.
 */
import { pino } from "pino";

/** All that a line may hold beside level, time and message. */
interface LogFields {
  /** What happened, by a name that stays: `clock.skewed`. */
  readonly event?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly externalId?: string | undefined;
  /** `X-PARTNER-ID`. */
  readonly partner?: string | undefined;
  readonly operation?: string | undefined;
  /** Seven digits. */
  readonly responseCode?: string | undefined;
  readonly address?: string | undefined;
  /** Why, in a word of a fixed list. */
  readonly reason?: string | undefined;
  readonly referenceNo?: string | undefined;
  readonly rail?: string | undefined;
  readonly notificationId?: string | undefined;
  readonly duty?: string | undefined;
  readonly attempt?: number | undefined;
  readonly count?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly differenceMs?: number | undefined;
  readonly version?: string | undefined;
  /** Only its name, code, message and stack are taken. */
  readonly error?: unknown;
}

export interface Log {
  /** Whether debug lines are written: ask before building one on a hot path. */
  readonly isDebug: boolean;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

interface LogOptions {
  readonly level: string;
  /** Where lines go; standard output by default. */
  readonly destination?: { write(line: string): void };
}

const named = [
  "event",
  "correlationId",
  "externalId",
  "partner",
  "operation",
  "responseCode",
  "address",
  "reason",
  "referenceNo",
  "rail",
  "notificationId",
  "duty",
  "attempt",
  "count",
  "durationMs",
  "differenceMs",
  "version",
] as const satisfies readonly Exclude<keyof LogFields, "error">[];

const textLengthMax = 500;

export function createLog({ level, destination }: LogOptions): Log {
  const options = { level, base: null };
  const out = destination === undefined ? pino(options) : pino(options, destination);
  return {
    isDebug: out.isLevelEnabled("debug"),
    debug: (message, fields) => out.debug(pick(fields), message),
    info: (message, fields) => out.info(pick(fields), message),
    warn: (message, fields) => out.warn(pick(fields), message),
    error: (message, fields) => out.error(pick(fields), message),
  };
}

function pick(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {};
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

/** V8 quotes the text it could not parse, which may be a body; of such an error only the name is told. */
function messageOf(error: Error): string | undefined {
  return error instanceof SyntaxError ? undefined : error.message.slice(0, textLengthMax);
}
