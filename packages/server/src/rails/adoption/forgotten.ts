/**
 * A payment that the database has forgotten, as the line of its instruction tells it
 * (docs/reference/rails.md#instructions, ADR 0061).
 */
import {
  currencyScale,
  fits,
  integer,
  object,
  operationByCode,
  orNull,
  type Schema,
  type Static,
  string,
} from "@titian/contract";
import { partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { fromReferenceNo, timeOf } from "../../basics/ids.ts";
import { businessDay } from "../../ledger/business-day.ts";
import { type Minor, minor, parseMinor } from "../../ledger/money.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { instructionKey } from "../instructions/instruction-key.ts";
import { readKeptLine } from "../instructions/instruction-line.ts";
import type { InstructionLine, InstructionRecord } from "../rail-records.ts";

export interface ForgottenPayment {
  /** Id of the transfer, as its number has it. */
  readonly id: string;
  readonly referenceNo: string;
  readonly line: InstructionLine;
  readonly fence: number | undefined;
  readonly rail: RailName;
  readonly service: number;
  /** Internal id. */
  readonly partner: string;
  readonly partnerReferenceKey: string;
  readonly externalId: string;
  readonly requestFingerprint: string;
  readonly payerAccountNo: string;
  readonly currency: string;
  readonly sentAmount: Minor;
  readonly fee: Minor;
  readonly requestedAmount: Minor;
  /** Business day on which it was accepted. */
  readonly day: number;
  /** As it was kept; of a line of an earlier release what its terms say. */
  readonly request: Request;
  readonly freeForm: string | undefined;
  /** Bulk of an item. */
  readonly bulk: ForgottenBulk | undefined;
}

export type ReadForgotten =
  | { readonly ok: true; readonly payment: ForgottenPayment }
  /** A sentence for the operator. */
  | { readonly ok: false; readonly why: string };

const Uuid = string({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" });
const FreeForm = orNull(string());
const Money = object({ value: string(), currency: string() });
const Request = object({ partnerReferenceNo: string(), sourceAccountNo: string(), amount: Money });
const Payload = object({ request: Request });
const BulkRequest = object({ sourceAccountNo: string() });
const Bulk = object({
  id: Uuid,
  position: integer({ minimum: 0 }),
  requestFingerprint: Uuid,
  partnerReferenceKey: Uuid,
  payload: object({ request: BulkRequest, itemCount: integer({ minimum: 1 }) }),
  freeForm: FreeForm,
});

type Request = Static<typeof Request>;
export type ForgottenBulk = Static<typeof Bulk>;

/** `text`: all of the line, as it is kept with the difference. */
export function readForgotten(rail: RailName, text: string): ReadForgotten {
  try {
    return { ok: true, payment: readPayment(rail, text) };
  } catch (error) {
    if (error instanceof Unusable) return { ok: false, why: error.message };
    throw error;
  }
}

class Unusable extends Error {}

function readPayment(rail: RailName, text: string): ForgottenPayment {
  const line = readKeptLine(text);
  const members = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { referenceNo, currency } = line.terms;
  const record = readRecord(line.record);
  const about = operationByCode(record.serviceCode)?.about;
  if (about?.noun === "paymentRequest")
    throw new Unusable(
      "it pays a payment request (19): approve that again (titian payment-request approve), then repeat",
    );
  if (about?.rail !== rail) throw new Unusable(`its service ${record.serviceCode} is not of the ${rail} rail`);
  const id = fromReferenceNo(referenceNo);
  const [sentAmount, fee] = [readAmount(line.terms.amount, currency), readAmount(record.fee, currency)];
  if (id === undefined || sentAmount === undefined || fee === undefined || sentAmount === 0n)
    throw new Unusable("its number or an amount in it is none of ours");
  const { partner, payerAccountNo, partnerReferenceNo } = record;
  const service = Number(record.serviceCode);
  const request = "payload" in members ? read(Payload, members, "payload").request : requestOf(line, record);
  const requestedAmount = readAmount(request.amount.value, request.amount.currency);
  const bulk = about.noun === "bulk" ? read(Bulk, members, "bulk") : undefined;
  const isOne =
    line.terms.idempotencyKey === instructionKey({ partner, service, partnerReferenceNo }) &&
    request.partnerReferenceNo === partnerReferenceNo &&
    request.sourceAccountNo === payerAccountNo &&
    request.amount.currency === currency &&
    requestedAmount !== undefined &&
    requestedAmount >= sentAmount &&
    requestedAmount <= sentAmount + fee &&
    (bulk?.payload.request.sourceAccountNo ?? payerAccountNo) === payerAccountNo;
  if (!isOne) throw new Unusable("its record is not that of its instruction: the line was changed");
  return {
    id,
    referenceNo,
    line,
    fence: Number.isSafeInteger(members["fencingNumber"]) ? Number(members["fencingNumber"]) : undefined,
    rail,
    service,
    partner,
    partnerReferenceKey: partnerReferenceKey(partner, record.serviceCode, partnerReferenceNo),
    externalId: record.externalId,
    requestFingerprint: record.requestFingerprint,
    payerAccountNo,
    currency,
    sentAmount,
    fee,
    requestedAmount,
    day: businessDay(timeOf(bulk?.id ?? id)),
    request,
    freeForm: typeof members["freeForm"] === "string" ? members["freeForm"] : undefined,
    bulk,
  };
}

type WholeRecord = { readonly [Name in keyof InstructionRecord]: string };

function readRecord(record: InstructionRecord): WholeRecord {
  const missing = Object.entries(record).flatMap(([name, value]) =>
    value === null && name !== "partnerId" ? [name] : [],
  );
  if (missing.length > 0) throw new Unusable(`its line does not have ${missing.join(", ")}`);
  const whole = { ...record, partnerId: record.partnerId ?? "" } as WholeRecord;
  if (!fits(Uuid, whole.partner) || !fits(Uuid, whole.requestFingerprint))
    throw new Unusable("its partner or its fingerprint is no id");
  return whole;
}

function read<Value>(schema: Schema<Value>, members: Readonly<Record<string, unknown>>, name: string): Value {
  const value = members[name];
  if (fits(schema, value)) return value;
  throw new Unusable(`its line does not have ${name}, as lines of this release do`);
}

function readAmount(text: string, currency: string): Minor | undefined {
  return parseMinor(text, currencyScale(currency) ?? 0);
}

/** Makes the request of a line without one: the sent amount and the fee on top, the same debit whoever bore the fee. */
function requestOf({ terms }: InstructionLine, record: WholeRecord): Request {
  const { amount, currency, beneficiaryBankCode, beneficiaryAccountNo, beneficiaryAccountName, details } = terms;
  return {
    partnerReferenceNo: record.partnerReferenceNo,
    amount: { value: amount, currency },
    beneficiaryAccountName,
    beneficiaryAccountNo,
    beneficiaryBankCode,
    sourceAccountNo: record.payerAccountNo,
    ...details,
  } as Request;
}

/** Amount that the payer is debited with. */
export function debitedAmount({ sentAmount, fee }: Pick<ForgottenPayment, "sentAmount" | "fee">): Minor {
  return minor(sentAmount + fee);
}
