/** Banks that rails reach; our own may be among them, known by its configured code. */
import { object, string } from "@titian/contract";
import type { Bank } from "../../ledger/rails/terms.ts";
import { type DataFile, readEntries, rejectRepeated } from "./data-file.ts";

const BankEntry = object(
  {
    code: string({ pattern: "^[0-9]{3}$", description: "three digits" }),
    bic: string({
      pattern: "^[A-Z]{6}[A-Z0-9]{2}$",
      description: "a BIC of 8 capital letters and digits, without a branch",
    }),
    name: string({ pattern: "\\S", description: "the bank's name" }),
  },
  { additionalProperties: false, description: "an object" },
);

/** By code and by BIC. */
export function readBanks(file: DataFile): ReadonlyMap<string, Bank> {
  const entries = readEntries(file, BankEntry);
  rejectRepeated(file, entries, "code");
  rejectRepeated(file, entries, "bic");
  return new Map(entries.flatMap(({ value }) => [[value.code, value] as const, [value.bic, value] as const]));
}
