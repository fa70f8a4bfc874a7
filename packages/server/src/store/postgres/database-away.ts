/** Errors of plain statements that say that the database does not answer now. */

/** Error codes of Node's sockets. */
const socketCodes: readonly unknown[] = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
];

/** The server ended the session, or took none: shutting down, starting up, full. */
export const lastWords: readonly unknown[] = ["FATAL", "PANIC"];

/** Messages of the driver about a lost or late connection; they have no code. */
const driverWords = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has en)/;

/**
 * True when the server works and cannot carry out what it is asked for now: no disk space, memory or files (53), a
 * fault of the system beneath it (58). Nothing was changed, and other statements fail alike.
 */
export function isOutOfResources(error: unknown): boolean {
  return /^5[38]/.test(codeOfServer(error) ?? "");
}

/**
 * True for a failure of one statement that an operator removes: cancelled, timed out, a missing right, a damaged page.
 */
export function isForOperators(error: unknown): boolean {
  return /^(57014|42501|XX...)$/.test(codeOfServer(error) ?? "");
}

/**
 * True when a statement over several rows may have failed for one of them: its values, its partition, a lock that another
 * transaction keeps, a damaged page. The others by themselves may succeed.
 */
export function mayBeOfOneRow(error: unknown): boolean {
  return /^(22...|23...|40P01|55P03|XX...)$/.test(codeOfServer(error) ?? "");
}

/** True when all connections of a pool were in use for as long as one may wait for one. */
export function isPoolUsedUp(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

/** True when we gave up waiting for the response to a statement, which the server may go on with. */
export function isResponseLate(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Code by which functions of the database reject what their data do not permit; the message says why. */
export const restrictViolation = "23001";

/** Code of an error of PostgreSQL after which the session goes on. */
export function codeOfServer(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("severity" in error) || error.severity !== "ERROR") return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** True when the database does not answer: the statement may have been executed; retry later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Error & { readonly code?: unknown; readonly severity?: unknown };
  return socketCodes.includes(code) || lastWords.includes(severity) || driverWords.test(error.message);
}
