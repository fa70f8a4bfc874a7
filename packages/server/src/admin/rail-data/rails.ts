/** Reads the terms of rails from their file: limits, hours, fees (spec D11). */
import { array, choice, currencyScale, object, optional, type Static, string } from "@titian/contract";
import { type Minor, parseMinor } from "../../ledger/money.ts";
import { type RailName, railNames, type RailTerms } from "../../ledger/rails/terms.ts";
import { type DataFile, type FileEntry, readEntries, rejectRepeated, show } from "./data-file.ts";

const strict = { additionalProperties: false };
const amount = string({
  pattern: "^[0-9]{1,16}([.][0-9]{1,4})?$",
  description: 'a decimal text such as "2500.00"',
});
const time = (description: string, pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$") => string({ pattern, description });

const Rail = object(
  {
    name: choice([...railNames], { description: "interbank, rtgs or skn" }),
    currency: string({ pattern: "^[A-Z]{3}$", description: "an ISO 4217 code such as IDR" }),
    min: amount,
    max: optional(amount),
    fee: amount,
    sharedFeeMax: amount,
    hours: optional(
      object(
        {
          from: time("a time of the day from 00:00 to 23:59"),
          to: time("a time of the day from 00:01 to 24:00", "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"),
        },
        { ...strict, description: 'times such as { "from": "06:30", "to": "16:30" }' },
      ),
    ),
    settlements: optional(
      array(time("a time of the day from 00:00 to 23:59"), {
        minItems: 1,
        description: "a list of times of the day, at least one",
      }),
    ),
  },
  { ...strict, description: "an object" },
);

type RailEntry = FileEntry<Static<typeof Rail>>;

/** Undefined where the file has a fault. */
export function readRails(file: DataFile): Readonly<Record<RailName, RailTerms>> | undefined {
  const entries = readEntries(file, Rail);
  // An entry that cannot be read may be the one that seems to be missing.
  if (file.isClean()) rejectMissing(file, entries);
  rejectRepeated(file, entries, "name");
  const terms = new Map(entries.map((entry) => [entry.value.name, readTerms(file, entry)]));
  const [interbank, rtgs, skn] = railNames.map((name) => terms.get(name));
  return interbank && rtgs && skn && { interbank, rtgs, skn };
}

function rejectMissing(file: DataFile, entries: readonly RailEntry[]): void {
  for (const name of railNames) {
    if (!entries.some(({ value }) => value.name === name)) file.fault("", `has no entry of the rail ${show(name)}`);
  }
}

function readTerms(file: DataFile, { place, value }: RailEntry): RailTerms | undefined {
  const { name, currency } = value;
  const scale = currencyScale(currency);
  if (scale === undefined) {
    file.fault(`${place}.currency`, `must be an ISO 4217 code such as IDR, not ${show(currency)}`);
    return undefined;
  }
  const read = (member: "min" | "max" | "fee" | "sharedFeeMax") => {
    const text = value[member];
    const minor = text === undefined ? undefined : parseMinor(text, scale);
    if (text !== undefined && minor === undefined) {
      file.fault(
        `${place}.${member}`,
        `must be an amount of at most ${scale} decimals in ${currency}, not ${show(text)}`,
      );
    }
    return minor;
  };
  const [min, max, fee, sharedFeeMax] = [read("min"), read("max"), read("fee"), read("sharedFeeMax")];
  checkLimits(file, place, { min, max }, value);
  checkTimes(file, { place, value });
  if (min === undefined || fee === undefined || sharedFeeMax === undefined) return undefined;
  return {
    name,
    currency,
    min,
    ...(max !== undefined && { max }),
    fee,
    sharedFeeMax,
    ...(value.hours && { hours: { from: minuteOf(value.hours.from), to: minuteOf(value.hours.to) } }),
    ...(value.settlements && { settlements: value.settlements.map(minuteOf) }),
  };
}

function checkLimits(
  file: DataFile,
  place: string,
  { min, max }: { readonly min: Minor | undefined; readonly max: Minor | undefined },
  texts: RailEntry["value"],
): void {
  if (min === 0n) file.fault(`${place}.min`, `must be more than zero, not ${show(texts.min)}`);
  if (min !== undefined && max !== undefined && min > max) {
    file.fault(`${place}.max`, `must not be less than min (${texts.min}), but is ${show(texts.max)}`);
  }
}

function checkTimes(file: DataFile, { place, value: { hours, settlements = [] } }: RailEntry): void {
  if (hours && minuteOf(hours.from) >= minuteOf(hours.to)) {
    file.fault(
      `${place}.hours.to`,
      `must be later than from (${hours.from}) on the same day, but is ${show(hours.to)}`,
    );
  }
  for (const [index, text] of settlements.entries()) {
    const before = settlements[index - 1];
    if (before !== undefined && minuteOf(before) >= minuteOf(text)) {
      file.fault(
        `${place}.settlements[${index}]`,
        `must be later than the one before it (${before}), but is ${show(text)}`,
      );
    }
  }
}

/** Minutes since midnight of a time such as `06:30`. */
function minuteOf(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
