/** Faults of a value by the contract's row alone: what every field rejects, whatever it is about (spec D2, D5). */
import type { Field } from "@titian/contract";
import type { Json } from "./caller.ts";

/** Case digits of a 400: the field is malformed, or missing. */
export type FaultCode = "01" | "02";

/** Values that a field does not take, each with the case it is answered by; `undefined` leaves the field out. */
export function faultsOf({ presence, type }: Field): readonly (readonly [value: unknown, code: FaultCode])[] {
  const missing = presence === "mandatory" ? missingOf(type) : [];
  return [
    ...missing.map((value) => [value, "02"] as const),
    ...malformedOf(type).map((value) => [value, "01"] as const),
  ];
}

function missingOf({ kind }: Field["type"]): readonly unknown[] {
  if (kind === "money") return [undefined];
  return kind === "list" ? [undefined, null] : [undefined, null, "", " \t"];
}

function malformedOf(type: Field["type"]): readonly unknown[] {
  switch (type.kind) {
    case "text":
      return ["x".repeat(type.max + 1), "a\u0001", "a\u0085", "a\u202eb", "a\ufffe", 7, true, ["x"], {}];
    case "money":
      return [null, "", " ", "10.00", 10, []];
    case "list":
      return ["", "text", 7, true, {}];
    default:
      return [];
  }
}

const badValues = [10, "-1.00", "+1.00", "1e2", "1,00", "1.", ".5", " 1.00", "0x10", "1.001", "NaN", "1".repeat(17)];
const badCurrencies = ["idr", "XQX", "RUPIAH", 360, true];

/** Amounts that were given, with the member that is named; a mandatory one says that its value is missing. */
export function badMoney(presence: Field["presence"]): readonly (readonly [Json, FaultCode, "value" | "currency"])[] {
  const noValue = presence === "mandatory" ? "02" : "01";
  return [
    [{ currency: "IDR" }, noValue, "value"],
    ...[null, "", ...badValues].map((value) => [{ value, currency: "IDR" }, "01", "value"] as const),
    ...[undefined, null, ""].map((currency) => [{ value: "1.00", currency }, "02", "currency"] as const),
    ...badCurrencies.map((currency) => [{ value: "1.00", currency }, "01", "currency"] as const),
    [{}, "02", presence === "mandatory" ? "value" : "currency"],
  ];
}
