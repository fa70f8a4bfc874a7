/**
 * Bodies of test notifications. They are valid, and there is nothing in them to book: status 03 or response code 202xx00,
 * which no result has, an amount of zero, and references that begin with TEST, as none of ours does.
 */
import { formatTimestamp, nounOf, operationRows, operations, responseCode, responseMessage } from "@titian/contract";
import { writeCanonicalJson } from "../../basics/canonical-json.ts";
import { toReferenceNo } from "../../basics/ids.ts";

/** Service codes of notifications. */
export const probeServices: readonly number[] = operationRows
  .filter(({ kind }) => kind === "notification")
  .map(({ code }) => Number(code));

/** Written in more than one way by the usual libraries: a receiver that hashes what its own makes of the body is found. */
const characters = "é / <&> = '";

interface ProbeSource {
  /** Id of the partner, as in `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** Id of which its numbers are made. */
  readonly id: string;
  /** Epoch ms. */
  readonly now: number;
}

export function writeProbe(service: number, { partnerId, id, now }: ProbeSource): Uint8Array {
  // Ours begin with 0 to 7: these can be of no transfer.
  const number = `TEST${toReferenceNo(id).slice(4)}`;
  const fields = nounOf(service) === "bulk" ? bulkResults(number) : settlement(number, now);
  return Buffer.from(writeCanonicalJson({ ...fields, additionalInfo: { characters, partnerId, test: true } }));
}

function settlement(number: string, now: number) {
  return {
    originalPartnerReferenceNo: number,
    originalReferenceNo: number,
    latestTransactionStatus: "03",
    beneficiaryAccountName: "TEST",
    beneficiaryAccountNo: "0000000000",
    beneficiaryBankCode: "000",
    sourceAccountNo: "0000000000",
    transactionDate: formatTimestamp(now),
    amount: { value: "0.00", currency: "IDR" },
  };
}

function bulkResults(number: string) {
  const pending = {
    responseCode: responseCode("requestInProgress", operations.interbankBulkTransfer.code),
    responseMessage: responseMessage("requestInProgress"),
  };
  return { bulkId: number, partnerBulkId: number, bulkObject: [{ partnerReferenceNo: number, ...pending }] };
}
