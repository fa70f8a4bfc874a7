/** Errors as the user reads them: what is wrong, where, and what to do. */
import { RailDataError } from "../admin/rail-data.ts";
import { ConfigError } from "../config.ts";
import { CliError, type ExitCode, exitCodes } from "./cli-error.ts";

export interface Explanation {
  readonly text: string;
  readonly exitCode: ExitCode;
}

export function explainError(error: unknown): Explanation {
  if (error instanceof CliError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof ConfigError) {
    return { text: `${error.message}\nSet them in the environment and start again.`, exitCode: exitCodes.usage };
  }
  if (error instanceof RailDataError) return { text: `${error.message}\n${mendFiles}`, exitCode: exitCodes.usage };
  return { text: explainKnown(error) ?? describe(error), exitCode: exitCodes.failed };
}

const mendFiles =
  "Mend the files, or name others in TITIAN_RAILS_FILE, TITIAN_HOLIDAYS_FILE and TITIAN_BANKS_FILE, and start again.\n" +
  "`titian rails check` reads them and starts nothing.";

/** What an error of a connection or of PostgreSQL says. */
interface Fault {
  readonly code: string;
  /** `host:port`, as far as the error tells. */
  readonly where: string;
  readonly message: string;
}

const noDatabase = ({ where, code }: Fault) =>
  `PostgreSQL does not answer at ${where} (${code}). Start it, or correct DATABASE_URL. The sandbox's own runs as long as the sandbox: npm start.`;
const noHost = ({ message }: Fault) => `The database's host cannot be found (${message}). Correct DATABASE_URL.`;
const noLogin = ({ message }: Fault) => `PostgreSQL refuses the user or password of DATABASE_URL: ${message}.`;

/** By the code of Node or PostgreSQL. Calls of the service have errors of their own, and never come here. */
const explanations: Readonly<Record<string, (fault: Fault) => string>> = {
  EADDRINUSE: ({ where }) =>
    `${where} is in use by another program. Stop that one, or choose another port: PORT=8081 (PORT=0 picks a free one), or TITIAN_MANAGEMENT_PORT for the management listener.`,
  EADDRNOTAVAIL: ({ where }) =>
    `${where} is no address of this machine. Set HOST to one of its own, such as 127.0.0.1, or 0.0.0.0 for all.`,
  EACCES: ({ message }) =>
    `${message}. Run as a user who may do that, or choose another port (PORT) or directory (TITIAN_DATA_DIR).`,
  ERR_INVALID_URL: () =>
    "DATABASE_URL is no URL that can be read. It looks like postgres://user:password@host:5432/database.",
  ECONNREFUSED: noDatabase,
  EHOSTUNREACH: noDatabase,
  ETIMEDOUT: noDatabase,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
  "28P01": noLogin,
  "28000": noLogin,
  "3D000": ({ message }) => `${capitalize(message)}. Create it with createdb --encoding=UTF8, or correct DATABASE_URL.`,
  "42501": ({ message }) =>
    `PostgreSQL refuses: ${message}. \`titian migrate\` needs the owner of the database, the service its application role.`,
  "42704": ({ message }) => `${capitalize(message)}. Create it first: create role … login password '…'.`,
  "53300": ({ message }) =>
    `PostgreSQL has no connection left: ${message}. Raise max_connections, or end other sessions.`,
  "57P03": ({ message }) => `PostgreSQL is not ready: ${message}. Try again in a moment.`,
};

function explainKnown(error: unknown): string | undefined {
  const fault = readFault(error);
  return fault && explanations[fault.code]?.(fault);
}

function readFault(error: unknown): Fault | undefined {
  // Node gathers the faults of several addresses in one error without a message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error) || !("code" in first) || typeof first.code !== "string") return undefined;
  const host = "address" in first && typeof first.address === "string" ? first.address : "the address";
  const port = "port" in first && typeof first.port === "number" ? `:${first.port}` : "";
  return { code: first.code, where: `${host}${port}`, message: first.message };
}

/** The messages of an error and its causes; of a bug the stack as well, for the report. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isBug && error.stack !== undefined) return `This is a fault in Titian; please report it.\n${error.stack}`;
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
