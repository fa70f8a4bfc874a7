/** Error messages for the user: what is wrong, where, and what to do. */
import { ConfigError } from "@titian/server/config";
import { CliError, type ExitCode, exitCodes } from "./cli-error.ts";
import "./program-name.ts";

export interface Explanation {
  readonly text: string;
  readonly exitCode: ExitCode;
}

export function explainError(error: unknown): Explanation {
  if (error instanceof CliError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) {
    return { text: `${error.message}\nChange the environment and start again.`, exitCode: exitCodes.usage };
  }
  if (isRailDataError(error)) return { text: `${error.message}\n${correctFiles}`, exitCode: exitCodes.usage };
  return { text: explainKnown(error) ?? describe(error), exitCode: exitCodes.failed };
}

/** By its name: its class is of an entry that takes longer to load than most commands run. */
const isRailDataError = (error: unknown): error is Error => error instanceof Error && error.name === "RailDataError";

const correctFiles =
  "Correct the files, or set others in TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, and start again.\n" +
  "`titian rails check` validates them without starting the service.";

/** Details of a connection or PostgreSQL error. */
interface ErrorDetails {
  readonly code: string;
  /** `host:port`, as far as known. */
  readonly where: string;
  readonly message: string;
}

const noDatabase = ({ where, code }: ErrorDetails) =>
  `PostgreSQL does not respond at ${where} (${code}). Start it, or correct DATABASE_URL or TITIAN_ADMIN_DATABASE_URL. The sandbox's database runs only while the sandbox does: npm start.`;
const noHost = ({ message }: ErrorDetails) =>
  `The database host cannot be resolved (${message}). Correct DATABASE_URL or TITIAN_ADMIN_DATABASE_URL.`;
const noLogin = ({ message }: ErrorDetails) =>
  `PostgreSQL rejects the user or password of DATABASE_URL or TITIAN_ADMIN_DATABASE_URL: ${message}.`;

/** By the error code of Node or PostgreSQL. Errors of calls to the service are handled in `call`. */
const explanations: Readonly<Record<string, (error: ErrorDetails) => string>> = {
  EADDRINUSE: ({ where }) =>
    `${where} is in use by another program. Stop it, or choose another port: PORT=8081 (PORT=0 picks a free one), or TITIAN_MANAGEMENT_PORT for the management listener.`,
  EADDRNOTAVAIL: ({ where }) =>
    `${where} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1, or 0.0.0.0 for all.`,
  EACCES: ({ message }) =>
    `${message}. Run as a user with that permission, or choose another port (PORT) or directory (TITIAN_DATA_DIR).`,
  ENOSPC: ({ message }) =>
    `The disk is full (${message}). Free some room, or choose a directory on another disk (TITIAN_DATA_DIR), and start again. Nothing accepted is lost.`,
  EROFS: ({ message }) => `${message}. Choose a directory that can be written (TITIAN_DATA_DIR).`,
  ERR_INVALID_URL: () =>
    "DATABASE_URL or TITIAN_ADMIN_DATABASE_URL is not a valid URL. It looks like postgres://user:password@host:5432/database.",
  ECONNREFUSED: noDatabase,
  EHOSTUNREACH: noDatabase,
  ETIMEDOUT: noDatabase,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  "28P01": noLogin,
  "28000": noLogin,
  "3D000": ({ message }) => `${capitalize(message)}. Create it with createdb --encoding=UTF8, or correct DATABASE_URL.`,
  "42501": ({ message }) =>
    `PostgreSQL denies permission: ${message}. \`titian migrate\` and \`titian database\` need the owner of the database, commands that change partners and merchants ` +
    "the administration role (TITIAN_ADMIN_DATABASE_URL), the service its application role.",
  "42704": ({ message }) => `${capitalize(message)}. Create it first: create role … login password '…'.`,
  "53100": ({ message }) =>
    `PostgreSQL's disk is full: ${message}. Free some room and start again. Nothing accepted is lost.`,
  "53300": ({ message }) =>
    `PostgreSQL has no connections left: ${message}. Raise max_connections, or close other sessions.`,
  "57P03": ({ message }) => `PostgreSQL is not ready: ${message}. Try again in a moment.`,
};

function explainKnown(error: unknown): string | undefined {
  const details = readDetails(error);
  return details && explanations[details.code]?.(details);
}

function readDetails(error: unknown): ErrorDetails | undefined {
  // Node reports the errors of several addresses in one error without a message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error) || !("code" in first) || typeof first.code !== "string") return undefined;
  const host = "address" in first && typeof first.address === "string" ? first.address : "the address";
  const port = "port" in first && typeof first.port === "number" ? `:${first.port}` : "";
  return { code: first.code, where: `${host}${port}`, message: first.message };
}

/** The messages of an error and its causes; for a bug its stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isBug && error.stack !== undefined) return `This is a bug in Titian; please report it.\n${error.stack}`;
  const messages: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && messages.length < 4; cause = cause.cause) {
    const message = explainKnown(cause) ?? (cause.message || cause.name);
    if (!messages.some((known) => known.includes(message))) messages.push(message);
  }
  return messages.join("\n  because: ");
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
