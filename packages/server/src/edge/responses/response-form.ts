/**
 * Turns a reply into the bytes of a response: code, message, echo of the request (spec D8) and the operation's fields, in
 * the order of the contract. What does not depend on the call is prepared once per operation.
 */
import {
  type CaseName,
  currencyScale,
  type FieldType,
  type OperationRow,
  responseCases,
  responseCode,
  responseMessage,
} from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import { toJson } from "./json-text.ts";

/** The part of a request that can be echoed: its valid fields, and the bytes of the free-form ones. */
export interface EchoSource {
  readonly request: Readonly<Record<string, unknown>>;
  readonly freeForm: ReadonlyMap<string, Uint8Array>;
}

export interface WrittenResponse {
  /** HTTP status, the same as the first three digits of the code. */
  readonly status: number;
  readonly body: string;
  /** Headers of this response alone: a flat list of names and values. */
  readonly headers: readonly string[];
}

/** Answers of one operation. */
export interface ResponseForm {
  readonly operation: OperationRow;
  /** Count of responses by case, since the process started. */
  readonly counts: ReadonlyMap<CaseName, number>;
  write(reply: Reply, source?: EchoSource, headers?: readonly string[]): WrittenResponse;
}

interface ResponseField {
  readonly name: string;
  /** `,"name":` */
  readonly key: string;
  readonly isEchoed: boolean;
  readonly kind: FieldType["kind"];
  readonly isInFailures: boolean;
}

/** Present only on success, also if a request has them (specification, "the service", 3). */
const onlyOnSuccess: ReadonlySet<string> = new Set(["referenceNo", "captureNo", "captureTime", "voidNo", "voidTime"]);
/** Responses to repeats have the original response in `additionalInfo`, so they never echo it (spec D7, D8). */
const repeats: ReadonlySet<CaseName> = new Set(["conflict", "duplicatePartnerReferenceNo", "inconsistentRequest"]);
const noHeaders: readonly string[] = [];
/** Headers of responses that may have a token in them. */
const notStored: readonly string[] = ["Cache-Control", "no-store"];
const codeAndMessage: ReadonlySet<string> = new Set(["responseCode", "responseMessage"]);

export function createResponseForm(operation: OperationRow): ResponseForm {
  const fields = responseFields(operation);
  const heads = new Map<CaseName, string>();
  const counts = new Map<CaseName, number>();
  const always = operation.kind === "token" ? notStored : noHeaders;

  function head(reply: Reply): string {
    if (reply.field !== undefined || reply.reason !== undefined) return writeHead(operation.code, reply);
    let text = heads.get(reply.case);
    if (text === undefined) {
      text = writeHead(operation.code, reply);
      heads.set(reply.case, text);
    }
    return text;
  }

  return {
    operation,
    counts,
    write(reply, source, headers = noHeaders) {
      counts.set(reply.case, (counts.get(reply.case) ?? 0) + 1);
      const { status } = responseCases[reply.case];
      const echoed = reply.echo === false ? undefined : source;
      const own = always === noHeaders ? headers : [...always, ...headers];
      return {
        status,
        body: `${head(reply)}${writeFields(fields, reply, status, echoed)}}`,
        headers: reply.retryAfter === undefined ? own : [...own, "Retry-After", String(reply.retryAfter)],
      };
    },
  };
}

function responseFields(operation: OperationRow): readonly ResponseField[] {
  return Object.entries(operation.response)
    .filter(([name]) => !codeAndMessage.has(name))
    .map(([name, { presence, type }]) => ({
      name,
      key: `,${JSON.stringify(name)}:`,
      // A conditional field of a response (69) depends on the record, never on the request.
      isEchoed: name in operation.request && presence !== "conditional",
      kind: type.kind,
      isInFailures: presence !== "onSuccess" && !onlyOnSuccess.has(name),
    }));
}

function writeHead(serviceCode: string, reply: Reply): string {
  const message = responseMessage(reply.case, { field: reply.field, reason: reply.reason });
  return `{"responseCode":"${responseCode(reply.case, serviceCode)}","responseMessage":${JSON.stringify(message)}`;
}

function writeFields(
  fields: readonly ResponseField[],
  reply: Reply,
  status: number,
  echoed: EchoSource | undefined,
): string {
  let text = "";
  for (const field of fields) {
    if (status >= 400 && !field.isInFailures) continue;
    const own = reply.fields?.[field.name];
    if (own !== undefined) text += field.key + (typeof own === "string" ? JSON.stringify(own) : toJson(own));
    else if (echoed !== undefined && field.isEchoed) text += writeEcho(field, reply.case, echoed);
  }
  return text;
}

/** The field of the request, if it has it. */
function writeEcho({ name, key, kind }: ResponseField, caseName: CaseName, source: EchoSource): string {
  const value = source.request[name];
  if (value === undefined || (name === "additionalInfo" && repeats.has(caseName))) return "";
  if (kind === "any") {
    const received = source.freeForm.get(name);
    return received === undefined ? "" : key + toJson(received);
  }
  return key + JSON.stringify(kind === "money" ? withTwoDecimals(value) : value);
}

/** Responses have two decimals (spec D5), unless the currency has none. */
function withTwoDecimals(money: unknown): unknown {
  if (typeof money !== "object" || money === null || !("value" in money) || !("currency" in money)) return money;
  const { value, currency } = money;
  if (typeof value !== "string" || typeof currency !== "string" || value.at(-3) === ".") return money;
  if ((currencyScale(currency) ?? 0) < 2) return money;
  return { value: value.at(-2) === "." ? `${value}0` : `${value}.00`, currency };
}
