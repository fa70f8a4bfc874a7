/** Splits a list of payments into bulks. Pure but for the default date: the same list makes the same bulks. */
import { formatTimestamp, operations } from "@titian/contract";
import { makeAttempt, writeBody } from "../attempt.ts";
import type { Clock } from "../clock.ts";
import type { Bulk, BulkLimits, BulkOrder, NumberedPayment } from "./bulk.ts";
import { findPaymentFaults } from "./find-payment-faults.ts";
import { bulkExternalId, bulkNumber, checkName, numberPayments } from "./numbers.ts";

const mostItems = operations.interbankBulkTransfer.request.bulkObject.type.max;
/** The provider's limit on a bulk's body (spec D17). */
const mostBytes = 8 * 1_024 * 1_024;

/**
 * The bulks of a list, each with its number, external id and body; sends nothing. Throws a TypeError that names the first
 * faulty payment: `findPaymentFaults` returns all of them.
 */
export function prepareBulks(order: BulkOrder, limits: BulkLimits = {}, clock: Clock = Date): readonly Bulk[] {
  const name = checkName(order.name);
  const maxItems = readLimit("maxItems", limits.maxItems, mostItems);
  const maxBytes = readLimit("maxBytes", limits.maxBytes, mostBytes);
  const [fault] = findPaymentFaults(order);
  if (fault) throw new TypeError(`${pathOf(fault.index, fault.field)} ${fault.message}`);
  const { customerReference = name.slice(0, 30), transactionDate = formatTimestamp(clock.now()), ...fields } = order;
  const { sourceAccountNo, feeType, remark, additionalInfo } = fields;
  const head = { customerReference, sourceAccountNo, transactionDate, feeType, remark, additionalInfo };
  const payments = numberPayments(order);
  // Head with the longest number: the room for payments must not depend on how many bulks there are.
  const longestHead = { ...head, partnerBulkId: bulkNumber(name, 10 ** 9), bulkObject: [] };
  const starts = findStarts(payments, maxItems, maxBytes - sizeOf(longestHead));
  return starts.map((start, position) => {
    const partnerBulkId = bulkNumber(name, position);
    const bulkObject = payments.slice(start, starts[position + 1]);
    const body = writeBody({ ...head, partnerBulkId, bulkObject });
    const attempt = makeAttempt("interbankBulkTransfer", bulkExternalId(partnerBulkId), body);
    return { partnerBulkId, start, payments: bulkObject, attempt };
  });
}

/** The position of each bulk's first payment. A bulk depends on the payments up to its end only, not on later ones. */
function findStarts(payments: readonly NumberedPayment[], maxItems: number, maxBytes: number): readonly number[] {
  const starts: number[] = [];
  let [items, bytes] = [maxItems, 0];
  for (const [index, payment] of payments.entries()) {
    // With its comma.
    const size = sizeOf(payment) + 1;
    if (size > maxBytes) throw new TypeError(`payments[${index}] is too large: ${size} of ${maxBytes} bytes`);
    if (items === maxItems || bytes + size > maxBytes) {
      starts.push(index);
      [items, bytes] = [0, 0];
    }
    items += 1;
    bytes += size;
  }
  return starts;
}

function sizeOf(value: object): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function readLimit(name: string, value: number | undefined, max: number): number {
  if (value === undefined) return max;
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new TypeError(`${name} must be a whole number from 1 to ${max}`);
}

function pathOf(index: number | undefined, field: string): string {
  return index === undefined ? field : `payments[${index}].${field}`;
}
