/**
 * A text, read as what it may be: each part a number, an account, an amount or a word of a name, and perhaps a day.
 * A record is found when it has every part.
 */
import { currencyCodes } from "@titian/contract";
import { readWrittenAmount } from "@titian/contract/written-amounts";
import { accountText, amountText, nameWords, numberText, type Word } from "../../admin/search/words.ts";
import { dateOf, dayOf } from "../../ledger/business-day.ts";

/** The readings of one part: one of these words is enough. */
export type Term = readonly Word[];

export interface SearchQuery {
  readonly terms: readonly Term[];
  /** Texts of the parts, in the order of their terms. */
  readonly parts: readonly string[];
  /** Business day that was named, such as `2026-11-25`. */
  readonly day: string | undefined;
}

const termsMax = 8;
/** An amount without a day is looked for on so many of the last days. */
const daysWithoutDay = 31;
const accountLengthMin = 4;

/** `today`: the business day, counted from 1970-01-01. */
export function readQuery(text: string, today: number): SearchQuery {
  const { day, rest } = takeDay(text, today);
  const days = day === undefined ? lastDays(today) : [day];
  const parts = plainAmounts(rest)
    .split(/\s+/)
    .filter((part) => part !== "");
  const hasAmount = parts.some((part) => readAmount(part) !== undefined);
  const said = parts.filter((part) => !(hasAmount && currencyCodes.includes(part.toUpperCase()))).slice(0, termsMax);
  return { terms: said.map((part) => readingsOf(part, days)), parts: said, day };
}

/** The whole text as one number: those of partners may have blanks. */
export function readWhole(text: string): SearchQuery {
  return { terms: [[{ kind: "number", text: numberText(text) }]], parts: [text], day: undefined };
}

function readingsOf(part: string, days: readonly string[]): Term {
  const account = accountText(part);
  const amount = readAmount(part);
  const [name] = nameWords(part).toSorted((a, b) => b.length - a.length);
  return [
    { kind: "number", text: numberText(part) },
    ...(account.length >= accountLengthMin && /\d/.test(account)
      ? (["account", "foreign"] as const).map((kind): Word => ({ kind, text: account }))
      : []),
    ...(amount === undefined ? [] : days.map((day): Word => ({ kind: "amount", text: amount, day }))),
    ...(name !== undefined && /\p{L}/u.test(name) ? [{ kind: "name", text: name } as const] : []),
  ];
}

/**
 * Amounts without the text that people write around them: `Rp 250.000`, `250.000,-`, `250000,` before a day, `250rb`,
 * `250 ribu`, `250 thousand`. A currency beside it says nothing.
 */
function plainAmounts(text: string): string {
  return text
    .replaceAll(/\b(?:rp\.?|idr)\s*(?=\d)/gi, "")
    .replaceAll(/(?<=\d)[.,]-(?!\S)/g, "")
    .replaceAll(/(?<!\S)(\d{1,12})\s*(?:rb|ribu|thousand|k)(?![\p{L}\p{N}])/giu, "$1000")
    .replaceAll(/(?<=\d),(?!\S)/g, "");
}

/** As words of records have it. */
function readAmount(part: string): string | undefined {
  const amount = readWrittenAmount(part);
  return amount === undefined ? undefined : amountText(amount);
}

function lastDays(today: number): readonly string[] {
  return Array.from({ length: daysWithoutDay }, (_, ago) => dateOf(today - ago));
}

const months = [
  ["jan", "january", "januari"],
  ["feb", "february", "februari"],
  ["mar", "march", "maret"],
  ["apr", "april"],
  ["may", "mei"],
  ["jun", "june", "juni"],
  ["jul", "july", "juli"],
  ["aug", "august", "agu", "agustus"],
  ["sep", "sept", "september"],
  ["oct", "october", "okt", "oktober"],
  ["nov", "november"],
  ["dec", "december", "des", "desember"],
];
const monthNames = months.flat().join("|");

type ReadDay = (match: readonly string[], today: number) => string | undefined;

const dayForms: readonly (readonly [RegExp, ReadDay])[] = [
  [/(?<!\S)(\d{4})-(\d{1,2})-(\d{1,2})(?!\S)/, ([, year, month, day]) => toDate(year, month, day)],
  [/(?<!\S)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\S)/, ([, day, month, year]) => toDate(year, month, day)],
  [
    new RegExp(`(?<!\\S)(\\d{1,2}) (${monthNames})(?: (\\d{4}))?(?!\\S)`, "i"),
    ([, day, name = "", year], today) => {
      const month = months.findIndex((names) => names.includes(name.toLowerCase())) + 1;
      return year === undefined ? latestDate(month, day, today) : toDate(year, month, day);
    },
  ],
  [/(?<!\S)(\d{1,2})\/(\d{1,2})(?!\S)/, ([, day, month], today) => latestDate(month, day, today)],
  [/(?<!\S)(?:today|hari ini)(?!\S)/i, (_, today) => dateOf(today)],
  [/(?<!\S)(?:yesterday|kemarin)(?!\S)/i, (_, today) => dateOf(today - 1)],
];

/** The first day that the text names, and the text without it. */
function takeDay(text: string, today: number): { readonly day: string | undefined; readonly rest: string } {
  for (const [form, read] of dayForms) {
    const match = form.exec(text);
    const day = match ? read(match, today) : undefined;
    if (match && day !== undefined) {
      return { day, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` };
    }
  }
  return { day: undefined, rest: text };
}

/** The day in this year, or in the one before where that is still to come. */
function latestDate(month: string | number | undefined, day: string | undefined, today: number) {
  const thisYear = Number(dateOf(today).slice(0, 4));
  const date = toDate(thisYear, month, day);
  return date !== undefined && date > dateOf(today) ? toDate(thisYear - 1, month, day) : date;
}

/** Undefined for a day that no month has. */
function toDate(...parts: readonly (string | number | undefined)[]): string | undefined {
  const [year, month, day] = parts.map((part) => String(part).padStart(2, "0"));
  const date = `${year}-${month}-${day}`;
  const number = dayOf(date);
  return Number.isNaN(number) || dateOf(number) !== date ? undefined : date;
}
