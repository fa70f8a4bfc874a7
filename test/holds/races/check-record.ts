/** Everything about a hold that can be wrong, whatever raced: sums, lines, money, and what the callers were told. */
import { isDeepStrictEqual } from "node:util";
import { type HoldRecord, lineKinds, type RecordedLine } from "./hold-record.ts";
import { type Answered, amountFields, type Books } from "./race-fixture.ts";

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** The faults found; the books go on with what the hold's sums say, once and for all. */
export function checkRecord(record: HoldRecord, answered: readonly Answered[], books: Books): readonly string[] {
  books.payer -= record.captured - record.refunded;
  books.settlement += record.captured - record.refunded;
  books.held += record.remaining;
  return [...checkSums(record), ...checkCaptures(record), ...checkOrder(record), ...checkTold(record, answered)];
}

/** What the accounts have must be what the books say, to the minor unit. */
export function checkBooks(found: Books, books: Books): readonly string[] {
  return compare("what is on the accounts", found, books);
}

function compare(what: string, found: unknown, expected: unknown): readonly string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  return [`${what}: ${write(found)}, expected ${write(expected)}`];
}

const write = (value: unknown) =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one));

const of = ({ lines }: HoldRecord, kind: number) => lines.filter((line) => line.kind === kind);
const amounts = (lines: readonly RecordedLine[]) => lines.map((line) => line.amount);

/** Spec D10's algebra, and every sum that of its lines. */
function checkSums(record: HoldRecord): readonly string[] {
  const { held, captured, voided, expired, remaining, refunded } = record;
  const byLines = [lineKinds.capture, lineKinds.void, lineKinds.expiry, lineKinds.refund].map((kind) =>
    sum(amounts(of(record, kind))),
  );
  return [
    ...compare("captured + voided + expired + remaining", captured + voided + expired + remaining, held),
    ...compare("the sums of the lines", byLines, [captured, voided, expired, refunded]),
    ...(remaining < 0n || refunded > captured ? [`more was taken than there was: ${write(record)}`] : []),
  ];
}

function checkCaptures(record: HoldRecord): readonly string[] {
  return of(record, lineKinds.capture).flatMap(({ line, amount, refunded }) => {
    const taken = sum(amounts(of(record, lineKinds.refund).filter(({ capture }) => capture === line)));
    const over = refunded > amount ? [`line ${line}: ${refunded} of ${amount} refunded`] : [];
    return [...over, ...compare(`refunds of line ${line}`, taken, refunded)];
  });
}

/** Lines without a gap; nothing captured or voided by the clock that was past the time, or behind the expiry. */
function checkOrder(record: HoldRecord): readonly string[] {
  const { lines } = record;
  const numbers = lines.map(({ line }) => line);
  const taking = lines.filter(({ kind }) => kind === lineKinds.capture || kind === lineKinds.void);
  const [expiry, ...more] = of(record, lineKinds.expiry);
  const late = taking.filter(({ line, isLate }) => isLate || (expiry && line > expiry.line));
  return [
    ...compare(
      "the numbers of the lines",
      numbers,
      Array.from(numbers, (_, index) => index + 1),
    ),
    ...late.map(({ line }) => `line ${line} was taken after the hold's time`),
    ...(more.length > 0 ? ["it expired more than once"] : []),
    ...(expiry && !expiry.isLate ? ["it expired before its time"] : []),
  ];
}

/** Each success that was told is there once, with its amount, and nothing is there that was not told. */
function checkTold(record: HoldRecord, answered: readonly Answered[]): readonly string[] {
  const told = new Map<string, bigint>();
  for (const { name, reply } of answered) {
    if (reply.case !== "success") continue;
    const { [amountFields[name]]: amount, captureNo, voidNo, refundNo } = reply.fields ?? {};
    const no = String(captureNo ?? voidNo ?? refundNo);
    if (told.has(no)) return [`number ${no} was given twice`];
    told.set(no, minorOf(amount));
  }
  const found = new Map<string, bigint>();
  for (const { kind, no, amount } of record.lines) {
    // The rest that a last capture released was not told as an amount.
    const isRest =
      kind === lineKinds.void && record.lines.some((line) => line.kind === lineKinds.capture && line.no === no);
    if (kind !== lineKinds.expiry && !isRest) found.set(no, (found.get(no) ?? 0n) + amount);
  }
  return compare("what was done", [...found].toSorted(byNo), [...told].toSorted(byNo));
}

const byNo = ([a]: readonly [string, bigint], [b]: readonly [string, bigint]) => (a < b ? -1 : 1);

function minorOf(money: unknown): bigint {
  return BigInt(String((money as { value: string }).value).replace(".", ""));
}
