/** What a repeated call is answered (decision D7): the first answer and the present status, in one go. */
import {
  type CaseName,
  type OperationRow,
  responseCode,
  responseMessage,
  type TransactionStatusCode,
} from "@titian/contract";
import type { Reply } from "../call.ts";
import type { RepeatKind } from "../engine/command.ts";

const repeatCases = {
  sameCall: "conflict",
  externalIdTaken: "conflict",
  sameNumber: "duplicatePartnerReferenceNo",
  numberTaken: "inconsistentRequest",
} as const satisfies Record<RepeatKind, CaseName>;

export interface Original {
  readonly operation: OperationRow;
  readonly case: CaseName;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly latestStatus: TransactionStatusCode;
}

/**
 * `original` is not told to a call that only shares the external id: it may be about anything. Fields that every answer
 * must have and the request does not give are the original's (decision D8).
 */
export function repeatReply(kind: RepeatKind, original?: Original, request: Original["fields"] = {}): Reply {
  const caseName = repeatCases[kind];
  if (!original) return { case: caseName };
  const { operation, case: firstCase, fields, latestStatus } = original;
  const originalResponse = {
    responseCode: responseCode(firstCase, operation.code),
    responseMessage: responseMessage(firstCase),
    ...inOrder(operation, fields),
  };
  const told: Record<string, unknown> = {
    additionalInfo: { originalResponse, latestTransactionStatus: latestStatus },
  };
  for (const [name, { presence }] of Object.entries(operation.response)) {
    // A conditional field (69) is by the original's state, whatever the request says (decision D8).
    const isTold = presence === "conditional" || (presence === "mandatory" && request[name] === undefined);
    if (isTold && fields[name] !== undefined) told[name] = fields[name];
  }
  return { case: caseName, fields: told };
}

/** The fields that have a value, in the order of the contract's row. */
function inOrder(operation: OperationRow, fields: Original["fields"]): Readonly<Record<string, unknown>> {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(operation.response)) {
    if (fields[name] !== undefined) ordered[name] = fields[name];
  }
  return ordered;
}
