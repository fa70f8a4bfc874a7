/** Operators' calls (docs/reference/control-calls.md), of the types that their rows have; their rejections as messages. */
import { fits, object, optional, string } from "@titian/contract";
import type { AnswerOf, AnyCall, CallsOfSandbox, InputsOf } from "@titian/sandbox/types";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";

/** Such as `GET /accounts/{accountNo}`. */
export type Route = keyof CallsOfSandbox;
export type Answer<Of extends Route> = AnswerOf<CallsOfSandbox[Of]>;
/** Makes the calls of these rows, by route. */
export type CallOf<Rows extends Readonly<Record<keyof Rows, AnyCall>>> = <Of extends keyof Rows & string>(
  route: Of,
  ...input: InputsOf<Rows[Of]>
) => Promise<AnswerOf<Rows[Of]>>;
export type CallRow = CallOf<CallsOfSandbox>;

/** The input of any call. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface ControlRequest {
  readonly method: string;
  /** After the mount, with its query. */
  readonly path: string;
  /** JSON. */
  readonly body: string | undefined;
}

/** Takes a request to where the calls are mounted. */
export type Carrier = (request: ControlRequest) => Promise<{ readonly status: number; readonly answer: unknown }>;

export function callsBy<Rows extends Readonly<Record<keyof Rows, AnyCall>> = CallsOfSandbox>(
  carry: Carrier,
): CallOf<Rows> {
  return async (route, ...input) => {
    const [given = {}] = input as readonly [Given?];
    const { status, answer } = await carry(requestOf(route, given));
    // An answer is of the shape that its row says.
    if (status === 200) return answer as AnswerOf<Rows[typeof route]>;
    throw failureOf(status, answer, given);
  };
}

/** Members of the query that are undefined are left out. */
export function requestOf(route: string, { params = {}, query = {}, body }: Given): ControlRequest {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return {
    method,
    path: search === "" ? path : `${path}?${search}`,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** A call that was rejected. */
export class CallRejected extends CliError {
  readonly code: string;
  constructor(code: string, message: string, exitCode: ExitCode) {
    super(message, exitCode);
    this.code = code;
  }
}

const Failure = object({ error: object({ code: string(), message: string(), field: optional(string()) }) });

export function failureOf(status: number, answer: unknown, given: Given): CliError {
  return rejectionOf(status, answer, given) ?? new CliError(`The call was answered HTTP ${status}.`);
}

/** Undefined for an answer that is none of a control API. */
export function rejectionOf(status: number, answer: unknown, { params, query }: Given): CallRejected | undefined {
  if (!fits(Failure, answer)) return undefined;
  const { message, field = "" } = answer.error;
  const code = answer.error.code === "invalidField" && field === "partnerId" ? "unknownPartner" : answer.error.code;
  const hint = hints[code]?.(params?.[field] ?? query?.[field] ?? "");
  const isUsage = status === 400 && hint === undefined;
  return new CallRejected(
    code,
    hint === undefined
      ? `${message}${isUsage && field !== "" ? ` (${field})` : ""}`
      : `${message.replace(/\.$/, "")}${hint}`,
    code === "waitsForApproval" ? exitCodes.waits : isUsage ? exitCodes.usage : exitCodes.failed,
  );
}

/** The next step after a rejection, by its code; `given` is the value of the field that the rejection is about. */
const hints: Readonly<Record<string, (given: string) => string>> = {
  unknownAccount: () => ": titian account list. An internal account such as unclaimed:IDR exists from its first entry.",
  unknownPartner: () => ": titian partner list.",
  unknownMerchant: () => ": titian merchant list.",
  unknownHold: () => ". A rejected refund has a number too, and moved no money.",
  unknownTransfer: () =>
    ". An intrabank transfer (17) is final at once: see the entries of its accounts. A payment request (19): titian payment-request show. A rejected transfer has no referenceNo.",
  unknownPaymentRequest: (number) => `. By a partner's own number: titian transfer show ${number} --partner <id>`,
  unknownBulk: (number) => `. By a partner's own number: titian bulk show ${number} --partner <id>`,
  isBulk: (number) => `: titian bulk show ${number}`,
  insufficientFunds: () => ". The payer's account has less than the amount and its fee.",
  accountInactive: () => ". The account is blocked or closed: titian account status",
  accountDormant: () => ". The account is dormant: titian account status",
  notInCell: () => ", with TITIAN_ADMIN_DATABASE_URL and TITIAN_ADMIN_CELLS instead of TITIAN_URL.",
  overTransactionLimit: () => ". It is above the payer's limit for one transfer.",
  overDailyLimit: () => ". The payer's daily limit is used up until the next business day.",
  tooManyInPeriod: () => ". The payer's daily number of transfers is used up until the next business day.",
  overRailLimit: () => ". It is above the maximum of the interbank rail: titian rails check",
  belowMinimum: () => ". It is below the minimum of the interbank rail: titian rails check",
};
