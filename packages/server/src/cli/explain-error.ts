/** Errors as the user reads them: what is wrong, where, and what to do. */
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
  const text = explainCode(error) ?? describe(error);
  return { text, exitCode: exitCodes.failed };
}

/** What connections and PostgreSQL say by code. A service that cannot be called never comes here: the client's errors do. */
function explainCode(error: unknown): string | undefined {
  const { code, where, message } = takeApart(error);
  switch (code) {
    case "EADDRINUSE":
      return `${where} is in use by another program. Stop that one, or choose another port: PORT=8081 (PORT=0 picks a free one).`;
    case "EADDRNOTAVAIL":
      return `${where} is no address of this machine. Set HOST to one of its own, such as 127.0.0.1, or 0.0.0.0 for all.`;
    case "EACCES":
      return `${message}. Run as a user who may do that, or choose another port (PORT) or directory (TITIAN_DATA_DIR).`;
    case "ECONNREFUSED":
    case "EHOSTUNREACH":
    case "ETIMEDOUT":
      return `PostgreSQL does not answer at ${where} (${code}). Start it, or correct DATABASE_URL; without DATABASE_URL the sandbox runs its own.`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `The database's host cannot be found (${message}). Correct DATABASE_URL.`;
    case "28P01":
    case "28000":
      return `PostgreSQL refuses the user or password of DATABASE_URL: ${message}.`;
    case "3D000":
      return `${capitalize(message)}. Create it (createdb --encoding=UTF8 …), or correct DATABASE_URL.`;
    case "42501":
      return `PostgreSQL refuses: ${message}. Use the owner of the database for \`titian migrate\`, the application role for the service.`;
    case "42704":
      return `${capitalize(message)}. Create it first: create role … login password '…'.`;
    case "53300":
      return `PostgreSQL has no connection left: ${message}. Raise max_connections, or end other sessions.`;
    case "57P03":
      return `PostgreSQL is not ready: ${message}. Try again in a moment.`;
    default:
      return undefined;
  }
}

interface Parts {
  readonly code: string | undefined;
  /** `host:port`, as far as the error tells. */
  readonly where: string;
  readonly message: string;
}

function takeApart(error: unknown): Parts {
  // Node gathers the faults of several addresses in one error without a message.
  const single = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const fields = new Map<string, unknown>(Object.entries(single instanceof Error ? single : {}));
  const code = fields.get("code");
  const port = fields.get("port");
  const host = fields.get("address") ?? "the address";
  return {
    code: typeof code === "string" ? code : undefined,
    where: port === undefined ? String(host) : `${host}:${port}`,
    message: single instanceof Error ? single.message : String(single),
  };
}

/** The messages of an error and its causes; of a bug the stack as well, for the report. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isBug = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  if (isBug && error.stack !== undefined) return `This is a fault in Titian; please report it.\n${error.stack}`;
  const messages: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && messages.length < 4; cause = cause.cause) {
    if (!messages.some((known) => known.includes(messageOf(cause)))) messages.push(messageOf(cause));
  }
  return messages.join("\n  because: ");
}

function messageOf(error: unknown): string {
  return explainCode(error) ?? (error instanceof Error ? error.message || error.name : String(error));
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
