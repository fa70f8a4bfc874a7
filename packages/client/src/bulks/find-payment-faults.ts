/** Checks an order against the contract before anything is sent: every faulty payment, not only the first. */
import { operations, readRequest } from "@titian/contract";
import type { BulkOrder, NumberedPayment } from "./bulk.ts";
import { numberPayments } from "./numbers.ts";

/** A fault of an order. */
export interface PaymentFault {
  /** Position of the payment, from 0; absent for a field of the order. */
  readonly index?: number;
  /** `bankCode`, `amount.value`; `payments` where there are none. */
  readonly field: string;
  /** `is missing`, `is malformed: 3 digits, BIC-8 or BIC-11.` */
  readonly message: string;
}

const row = operations.interbankBulkTransfer;
const itemFields = row.request.bulkObject.type.entry;
const [validItem] = row.example.request.bulkObject;

/** In the order of the payments, after those of the order itself; at most one for each field. Empty: it can be sent. */
export function findPaymentFaults(order: BulkOrder): readonly PaymentFault[] {
  const headFaults = findHeadFaults(order);
  if (order.payments.length === 0) return [...headFaults, { field: "payments", message: "is empty" }];
  const seen = new Set<string>();
  const faults = numberPayments(order).flatMap((payment, index) => [
    ...findItemFaults(payment).map((fault) => ({ index, ...fault })),
    ...findRepeatedNumber(payment, index, seen),
  ]);
  return [...headFaults, ...faults];
}

function findHeadFaults({ payments: _, name: __, ...fields }: BulkOrder): readonly PaymentFault[] {
  const { customerReference, transactionDate } = row.example.request;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const read = readRequest(row, { customerReference, transactionDate, ...given, bulkObject: [validItem] });
  return read.ok ? [] : [{ field: read.field ?? "", message: describe(read.case, read.field) }];
}

function findItemFaults(payment: NumberedPayment): readonly PaymentFault[] {
  if (readItem(payment).ok) return findZero(payment);
  // Each field by itself, in an item that is valid otherwise.
  return Object.keys(itemFields).flatMap((name) => {
    const values: Readonly<Record<string, unknown>> = { ...payment };
    const read = readItem({ ...validItem, [name]: values[name] });
    if (read.ok) return [];
    const field = read.field?.replace("bulkObject[0].", "") ?? name;
    return [{ field, message: describe(read.case, field) }];
  });
}

/** The text is one of the contract's amounts. */
function findZero({ amount }: NumberedPayment): readonly PaymentFault[] {
  return /[1-9]/.test(amount.value) ? [] : [{ field: "amount.value", message: "is zero" }];
}

function findRepeatedNumber(
  { partnerReferenceNo }: NumberedPayment,
  index: number,
  seen: Set<string>,
): readonly PaymentFault[] {
  if (!seen.has(partnerReferenceNo)) {
    seen.add(partnerReferenceNo);
    return [];
  }
  return [{ index, field: "partnerReferenceNo", message: `${partnerReferenceNo} is used twice` }];
}

function readItem(item: object) {
  return readRequest(row, { ...row.example.request, currency: undefined, bulkObject: [item] });
}

function describe(caseName: string, field: string | undefined): string {
  if (caseName === "invalidMandatoryField") return "is missing";
  const [name = ""] = field?.split(".") ?? [];
  const fields = { ...row.request, ...itemFields };
  const type = name in fields ? fields[name as keyof typeof fields].type : undefined;
  if (type?.kind === "money") return field === "amount.currency" ? "is no currency" : `is malformed: ${moneyFormat}`;
  if (type?.kind !== "text") return "is malformed";
  return `is malformed: ${type.format ?? `up to ${type.max} printable characters.`}`;
}

const moneyFormat = "up to 16 digits, then up to 2 decimals after a point.";
