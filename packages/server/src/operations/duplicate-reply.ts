/** Response to a repeat (spec D7): the original response and the latest status. */
import {
  type CaseName,
  type OperationRow,
  type ReasonOf,
  responseCode,
  responseMessage,
  type TransactionStatusCode,
} from "@titian/contract";
import type { Reply } from "../interfaces/call.ts";
import type { RepeatKind } from "../engine/command.ts";
import { isItemField } from "../ledger/bulks/accept.ts";

const repeatCases = {
  sameCall: "conflict",
  externalIdTaken: "conflict",
  sameNumber: "duplicatePartnerReferenceNo",
  numberTaken: "inconsistentRequest",
} as const satisfies Record<RepeatKind, CaseName>;

const casesOfRepeats: ReadonlySet<CaseName> = new Set(Object.values(repeatCases));

/** No rejection has one of these cases. */
export function isRepeatReply({ case: name }: Reply): boolean {
  return casesOfRepeats.has(name);
}

const usedForAnother: ReasonOf<"conflict"> = "X-EXTERNAL-ID was used for another request";

type Fields = Readonly<Record<string, unknown>>;

export interface Original {
  readonly operation: OperationRow;
  /** The field that holds the partner's number. */
  readonly number: string;
  readonly first: Required<Pick<Reply, "fields">> & Pick<Reply, "case" | "field" | "reason">;
  readonly latestStatus: TransactionStatusCode;
}

/**
 * Without `original` for a request that only shares the external id, and for one whose record is detached. Mandatory fields
 * that the request does not have are the original's (spec D8).
 */
export function repeatReply(kind: RepeatKind, original?: Original, request: Fields = {}): Reply {
  const caseName = repeatCases[kind];
  if (kind === "externalIdTaken") return { case: caseName, reason: usedForAnother };
  if (!original) return { case: caseName };
  const { operation, number, first, latestStatus } = original;
  const { fields } = first;
  const originalResponse = {
    responseCode: responseCode(first.case, operation.code),
    responseMessage: responseMessage(first.case, { field: first.field, reason: first.reason }),
    ...inOrder(operation, fields),
  };
  const responseFields: Record<string, unknown> = {
    additionalInfo: { originalResponse, latestTransactionStatus: latestStatus },
  };
  for (const [name, { presence }] of Object.entries(operation.response)) {
    // A conditional field (69) depends on the state of the original, not on the request (spec D8).
    const isIncluded = presence === "conditional" || (presence === "mandatory" && request[name] === undefined);
    if (isIncluded && fields[name] !== undefined) responseFields[name] = fields[name];
  }
  // Its standard message names `partnerReferenceNo`, whichever number was used before.
  const isNamed = kind === "sameNumber" && number !== "partnerReferenceNo";
  const detail = isItemField(number) ? { field: number } : isNamed ? { reason: number } : {};
  return { case: caseName, ...detail, fields: responseFields };
}

/** The fields that have a value, in the order of the contract's row. */
function inOrder(operation: OperationRow, fields: Fields): Fields {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(operation.response)) {
    if (fields[name] !== undefined) ordered[name] = fields[name];
  }
  return ordered;
}
