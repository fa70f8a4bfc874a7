/** An example of each field, for the documentation: where any operation's own example has one it is that. */
import { isObject } from "../reading/walk.ts";
import { operationRows } from "../operations.ts";
import type { FieldName } from "../fields/descriptions.ts";

/** Examples of fields that no operation's example has, or each another one's. */
const others: Readonly<Partial<Record<FieldName, unknown>>> = {
  additionalInfo: { orderNo: "A-17" },
  beneficiaryAddress: "Jl. Kebon Sirih 10, Jakarta",
  externalStoreId: "STORE-01",
  itemCount: "2",
  mcc: "7011",
  openCount: "0",
  originalCaptureNo: "01JD7K4Q2R3S4T5V6W7X8Y9Z0A",
  originalResponseCode: "2001700",
  originalResponseMessage: "Successful",
  productCode: "ROOM",
  receiverPhone: "+6281234567890",
  rejectedCount: "0",
  rejection: { responseCode: "4041811", responseMessage: "Invalid Card/Account/Customer/Virtual Account" },
  requestId: "REQ-0001",
  returnedCount: "0",
  senderPhone: "+6281234567891",
  settledCount: "2",
  subMerchantId: "SUB-01",
  transactionId: "00000001",
};

let found: ReadonlyMap<string, unknown> | undefined;

/** Example of a field by its name; undefined where there is none. Each operation's own example comes before it. */
export function exampleOf(name: string): unknown {
  // The last entry of a name stays in a map: of several operations the first one's.
  found ??= new Map([
    ...operationRows.flatMap(({ example }) => valuesIn(example)).reverse(),
    ...Object.entries(others),
  ]);
  return found.get(name);
}

/** Every member of a value and of what is in it. */
function valuesIn(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [[name, member] as const, ...valuesIn(member)]);
}
