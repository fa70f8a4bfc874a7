/**
 * Parses a response. Its response code must agree with the HTTP status and the operation: anything else (a gateway's
 * page, another service's response) is a protocol error.
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
import type { Rejection } from "../errors/errors.ts";
import type { Exchanged } from "./exchange.ts";
import type { CallName } from "../names.ts";
import { maxBodyBytes } from "./read-response-body.ts";
import { parseRejection } from "../errors/parse-rejection.ts";
import { hasEnvelope, type ResponseFields } from "../response-fields.ts";

type Received = Extract<Exchanged, { kind: "received" }>;

export type ParsedResponse<Name extends CallName> =
  | {
      readonly kind: "response";
      readonly case: "success" | "requestInProgress";
      readonly fields: ResponseFields;
      readonly raw: string;
      /** By the provider's clock (ms); undefined where it does not tell. */
      readonly respondedAt: number | undefined;
    }
  | {
      readonly kind: "rejection";
      readonly rejection: Rejection<Name>;
      readonly respondedAt: number | undefined;
    }
  | { readonly kind: "unreadable"; readonly httpStatus: number; readonly detail: string };

/** Deeper than for requests: the response to a repeat contains the original response. */
const limits = { maxDepth: 32, maxFreeFormBytes: maxBodyBytes, part: "response" } as const;

export function parseResponse<Name extends CallName>(name: Name, received: Received): ParsedResponse<Name> {
  const row: OperationRow = operations[name];
  const { httpStatus, bytes, retryAfter } = received;
  const respondedAt = timeOf(received.respondedAt);
  const unreadable = (detail: string) => ({ kind: "unreadable", httpStatus, detail }) as const;

  const json = readJson(bytes, row, limits);
  if (!json.ok) return unreadable(`a body of ${bytes.length} bytes that is not a strict JSON object (${json.reason})`);
  const read = readResponse(row, json.value);
  const fields = validFields(read);
  if (fields === undefined)
    return unreadable(`a body whose ${read.ok ? "envelope" : read.field} is missing or malformed`);
  const code = parseResponseCode(fields.responseCode);
  if (code === undefined || code.status !== httpStatus || !isAbout(row, code)) {
    return unreadable(`the responseCode ${fields.responseCode}, which does not match it`);
  }
  const { caseName } = code;
  if (caseName === "success" || (caseName === "requestInProgress" && row.kind === "write")) {
    return { kind: "response", case: caseName, fields, raw: new TextDecoder().decode(bytes), respondedAt };
  }
  // An undocumented 200, or a read "in progress", is neither a success nor a rejection.
  if (httpStatus < 400) return unreadable(`the responseCode ${fields.responseCode}, which is not defined for it`);
  return { kind: "rejection", rejection: parseRejection(name, { fields, code, retryAfter }), respondedAt };
}

function timeOf(text: string | null): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}

/** A path the provider does not know has no service code (spec D1). */
function isAbout(row: OperationRow, { status, serviceCode }: ParsedResponseCode): boolean {
  return serviceCode === row.code || (serviceCode === "00" && status >= 400);
}

/**
 * The valid fields of a response. A success must be complete. Of a rejection, malformed fields beside the code are left
 * out, so that they do not make its outcome unknown.
 */
function validFields(read: ReadResponse<Fields>): ResponseFields | undefined {
  const fields: ReadFields = read.ok ? read.value : read.valid;
  if (!hasEnvelope(fields)) return undefined;
  return read.ok || parseResponseCode(fields.responseCode)?.status !== 200 ? fields : undefined;
}
