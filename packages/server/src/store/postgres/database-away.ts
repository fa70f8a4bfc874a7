/** Errors of plain statements that say that the database does not answer now. */

/** Of Node's sockets. */
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

/** Whether the database does not answer: the statement may have been executed; retry later. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Error & { readonly code?: unknown; readonly severity?: unknown };
  return socketCodes.includes(code) || lastWords.includes(severity) || driverWords.test(error.message);
}
