/** The one statement of a transfer, which is its transaction: on the usual ledger, and on the one with the service's guards. */
import { operations } from "@titian/contract";
import { externalIdKey, partnerReferenceKey } from "../../packages/server/src/engine/batch/idempotency-keys.ts";
import type { Transfer } from "./schema.ts";

/** A transfer as it was called for. */
export interface TransferCall {
  readonly partnerId: string;
  readonly externalId: string;
  /** Hex. */
  readonly bodyHash: string;
  /** Base64. */
  readonly signature: string;
  /** X-TIMESTAMP. */
  readonly timestamp: string;
  readonly transfer: Transfer;
}

/** Answers one row: the new transfer's id, or the SQLSTATE of a recorded rejection. */
export interface TransferStatement {
  readonly text: string;
  valuesOf(call: TransferCall): readonly string[];
}

const { code } = operations.intrabankTransfer;
const uuidLength = 32;

export const transferStatements = {
  usual: {
    text: `select create_transfer($1, (select id from accounts where account_no = $2 and currency = $5),
      (select id from accounts where account_no = $3 and currency = $5), ($4::numeric * 100)::bigint) as id`,
    valuesOf: ({ partnerId, externalId, transfer }) => {
      const { amount, sourceAccountNo, beneficiaryAccountNo } = transfer;
      return [`${partnerId}/${externalId}`, sourceAccountNo, beneficiaryAccountNo, amount.value, amount.currency];
    },
  },
  guarded: {
    text: `select id, rejection from create_transfer($1, $2::uuid, $3::uuid, $4::uuid, $5::uuid, $6::timestamptz,
      $7, $8, $9, ($10::numeric * 100)::bigint)`,
    valuesOf: ({ partnerId, externalId, bodyHash, signature, timestamp, transfer }) => [
      externalId,
      externalIdKey(partnerId, externalId),
      partnerReferenceKey(partnerId, code, transfer.partnerReferenceNo),
      bodyHash.slice(0, uuidLength),
      Buffer.from(signature, "base64").toString("hex").slice(0, uuidLength),
      timestamp,
      transfer.sourceAccountNo,
      transfer.beneficiaryAccountNo,
      transfer.amount.currency,
      transfer.amount.value,
    ],
  },
} as const satisfies Record<string, TransferStatement>;
