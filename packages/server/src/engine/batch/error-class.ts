/** Meaning of a batch's error (docs/reference/engine.md, "Batch failures and retries"). */
import { isOutOfResources, lastWords } from "../../store/postgres/database-away.ts";
import { ConnectionLost } from "../../store/postgres/session.ts";

/**
 * conflict: the whole batch again with fresh reads · lockWait: halved, so that only what touches the row waits ·
 * lost: the outcome is unknown, a new connection and the same batch again · unavailable: the whole batch is given back ·
 * poison: halved until one fails alone.
 */
export type FailureClass = "conflict" | "lockWait" | "lost" | "unavailable" | "poison";

const byCode: Readonly<Record<string, FailureClass>> = {
  "40001": "conflict",
  "40P01": "conflict",
  "23505": "conflict",
  "55P03": "lockWait",
  "57P01": "lost",
  "57P02": "lost",
  "57P03": "lost",
  "25P03": "lost",
  "25006": "lost",
  "53300": "lost",
};

/** The transaction was already broken: an earlier error has the cause. */
export const followUpCode = "25P02";

/** An error that neither PostgreSQL nor the connection reported is a fault of ours, and as such poison. */
export function classifyFailure(error: unknown): FailureClass {
  if (error instanceof ConnectionLost) return "lost";
  const code = codeOf(error);
  if (code === undefined || !(error instanceof Error && "severity" in error)) return "poison";
  // With any code: the session ends, and a commit behind it is not answered.
  if (lastWords.includes(error.severity)) return "lost";
  // A partition was made meanwhile, for rows that were on their way to the default one.
  if (code === "23514" && "constraint" in error && error.constraint === undefined) return "conflict";
  if (code in byCode) return byCode[code] as FailureClass;
  if (isOutOfResources(error)) return "unavailable";
  return code.startsWith("08") ? "lost" : "poison";
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ConnectionLost) return codeOf(error.cause);
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}
