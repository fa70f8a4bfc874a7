/** What an error of a flight means, by its code alone (engine rules, "When it fails"). */

/**
 * conflict: the whole flight again with fresh reads · lockWait: halved, so that only what touches the row waits ·
 * lost: the outcome is unknown, a new connection and the same flight again · poison: halved until one fails alone.
 */
export type FailureClass = "conflict" | "lockWait" | "lost" | "poison";

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

/** The transaction was already broken: says nothing about why, so an earlier error counts. */
export const followUpCode = "25P02";

export function classifyFailure(error: unknown): FailureClass {
  const code = codeOf(error);
  // Only what PostgreSQL itself reported has a severity; the rest (ECONNRESET, EPIPE, a time-out) is the socket's.
  if (code === undefined || !(error instanceof Error && "severity" in error)) return "lost";
  return byCode[code] ?? (code.startsWith("08") ? "lost" : "poison");
}

export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code;
}
