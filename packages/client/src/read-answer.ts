/**
 * What an answer says. The response code decides, and it must agree with the HTTP status and the operation:
 * anything else (a gateway's page, another service's answer) is no answer of the provider.
 */
import {
  type Fields,
  type OperationRow,
  operations,
  type ParsedResponseCode,
  parseResponseCode,
  type ReadFields,
  type ReadResponse,
  readJson,
  readResponse,
} from "@titian/contract";
import type { Refusal } from "./errors.ts";
import type { Exchanged } from "./exchange.ts";
import type { CallName } from "./names.ts";
import { longestBodyBytes } from "./read-body.ts";
import { takeRefusalApart } from "./refusal.ts";
import { hasEnvelope, type ResponseFields } from "./response-fields.ts";

type Received = Extract<Exchanged, { kind: "received" }>;

export type ReadAnswer<Name extends CallName> =
  | {
      readonly kind: "answer";
      readonly case: "success" | "requestInProgress";
      readonly fields: ResponseFields;
      readonly raw: string;
    }
  | { readonly kind: "refusal"; readonly refusal: Refusal<Name> }
  | { readonly kind: "unreadable"; readonly httpStatus: number; readonly detail: string };

/** An answer is deeper than a request: a repeat carries a whole earlier answer. */
const limits = { maxDepth: 32, maxFreeFormBytes: longestBodyBytes, part: "response" } as const;

export function readAnswer<Name extends CallName>(name: Name, received: Received): ReadAnswer<Name> {
  const row: OperationRow = operations[name];
  const { httpStatus, bytes, retryAfter } = received;
  const unreadable = (detail: string) => ({ kind: "unreadable", httpStatus, detail }) as const;

  const json = readJson(bytes, row, limits);
  if (!json.ok) return unreadable(`a body of ${bytes.length} bytes that is no strict JSON object (${json.reason})`);
  const read = readResponse(row, json.value);
  const fields = reliableFields(read);
  if (fields === undefined)
    return unreadable(`a body whose ${read.ok ? "envelope" : read.field} is missing or malformed`);
  const code = parseResponseCode(fields.responseCode);
  if (code === undefined || code.status !== httpStatus || !isAbout(row, code)) {
    return unreadable(`the responseCode ${fields.responseCode}, which does not belong to it`);
  }
  const { caseName } = code;
  if (caseName === "success" || (caseName === "requestInProgress" && row.kind === "write")) {
    return { kind: "answer", case: caseName, fields, raw: new TextDecoder().decode(bytes) };
  }
  // A 200 of a case nobody has written down, or a read "in progress", is neither yes nor no.
  if (httpStatus < 400) return unreadable(`the responseCode ${fields.responseCode}, which is no answer to it`);
  return { kind: "refusal", refusal: takeRefusalApart(name, { fields, code, retryAfter }) };
}

/** A path the provider does not know has no service code (decision D1). */
function isAbout(row: OperationRow, { status, serviceCode }: ParsedResponseCode): boolean {
  return serviceCode === row.code || (serviceCode === "00" && status >= 400);
}

/**
 * The fields of an answer that can be relied on. A success must be whole. A refusal stands by its code: a malformed
 * echo beside it is left out, not made into an unknown outcome.
 */
function reliableFields(read: ReadResponse<Fields>): ResponseFields | undefined {
  const fields: ReadFields = read.ok ? read.value : read.valid;
  if (!hasEnvelope(fields)) return undefined;
  return read.ok || parseResponseCode(fields.responseCode)?.status !== 200 ? fields : undefined;
}
