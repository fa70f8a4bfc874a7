/** The line of an instruction: its terms, and what writes the payment back into a database that has forgotten it (ADR 0061). */
import { currencyScale } from "@titian/contract";
import { formatMinor } from "../../ledger/money.ts";
import { formatInstant, readRequest } from "../../rails/instructions/instruction.ts";
import type { AssignedInstruction, InstructionTerms, LedgerOrigin } from "../../rails/rail-records.ts";
import type { AssignedRow } from "../../store/tables/rail-records/rail-exports.ts";
import type { LeaseTerms } from "../../store/tables/rail-records/rail-leases.ts";

/** Readers take lines of 64 KiB. Free-form parts alone can make one longer: it is written without them. */
const lineBytesMax = 60_000;

export function toAssigned(row: AssignedRow, { rail, fence }: LeaseTerms, origin: LedgerOrigin): AssignedInstruction {
  const { referenceNo, validUntil, sequence, isAwaited, record } = row;
  const terms = JSON.parse(row.terms) as InstructionTerms;
  const { ledgerId, systemIdentifier, timeline } = origin;
  const { partner, partnerId, service, externalId, fingerprint, fee, payerAccountNo, payload, freeForm } = record;
  const bulk = record.bulk === null ? null : (JSON.parse(record.bulk) as Record<string, unknown>);
  const line = {
    ...terms,
    validUntil: formatInstant(validUntil),
    sequence,
    fencingNumber: fence,
    ledgerId,
    rail,
    partner,
    partnerId,
    serviceCode: service,
    externalId,
    partnerReferenceNo: payload === null ? null : (readRequest(payload)["partnerReferenceNo"] ?? null),
    requestFingerprint: fingerprint,
    fee: fee === null ? null : formatMinor(BigInt(fee), currencyScale(terms.currency) ?? 0),
    payerAccountNo,
    payload: payload === null ? null : (JSON.parse(payload) as unknown),
    freeForm,
    bulk,
    database: { systemIdentifier, timeline },
  };
  if (Buffer.byteLength(JSON.stringify(line)) <= lineBytesMax) return { referenceNo, validUntil, isAwaited, line };
  const short = { ...line, freeForm: null, bulk: bulk && { ...bulk, freeForm: null } };
  return { referenceNo, validUntil, isAwaited, line: short };
}
