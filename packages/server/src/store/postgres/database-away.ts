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

/** What the driver says of a connection that ended, or came too late, has no code. */
const driverWords = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has en)/;

/** Whether what was asked may have been done and nobody can tell now; asking again later is all there is to do. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity } = error as Error & { readonly code?: unknown; readonly severity?: unknown };
  return socketCodes.includes(code) || lastWords.includes(severity) || driverWords.test(error.message);
}
