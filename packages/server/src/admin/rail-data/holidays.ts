/** Days on which rails with hours stay closed. */
import { object, string } from "@titian/contract";
import type { Holidays } from "../../ledger/rails/terms.ts";
import { type DataFile, readEntries, rejectRepeated, show } from "./data-file.ts";

const description = "a date such as 2026-12-25";

const Holiday = object(
  {
    date: string({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description }),
    name: string({ pattern: "\\S", description: "the holiday's name" }),
  },
  { additionalProperties: false, description: "an object" },
);

/** A list without an entry is one: every day from Monday to Friday is a working day. */
export function readHolidays(file: DataFile): Holidays {
  const entries = readEntries(file, Holiday);
  rejectRepeated(file, entries, "date");
  for (const { place, value } of entries) {
    if (!isOnCalendar(value.date)) file.fault(`${place}.date`, `must be ${description}, not ${show(value.date)}`);
  }
  return new Set(entries.map(({ value }) => value.date));
}

function isOnCalendar(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
