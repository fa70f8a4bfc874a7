/** The other side of the file rails: settles each line once, but for lines to an account that the rail is silent about. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Line = Record<string, unknown> & { readonly referenceNo: string; readonly beneficiaryAccountNo: string };

export interface RailSide extends Disposable {
  readonly railsFile: string;
  readonly directory: string;
  /** Lines seen so far. */
  readonly seen: ReadonlySet<string>;
}

const names = ["interbank", "rtgs", "skn"];
export const otherBank = { bankCode: "014", accountNo: "8888801000157508", name: "Siti Nur Aini", currency: "IDR" };
/** The rail takes what goes there, and never says what became of it. */
export const silentAccountNo = "8888801000157509";
const lookEveryMs = 100;

export function startRailSide(within: string): RailSide {
  const directory = join(within, "rails");
  mkdirSync(join(directory, "interbank"), { recursive: true });
  const railsFile = join(within, "rails.json");
  // Without hours: the day may be a Sunday.
  const terms = names.map((name) => ({ name, currency: "IDR", min: "1.00", fee: "2500.00", sharedFeeMax: "1000.00" }));
  writeFileSync(railsFile, JSON.stringify(terms));
  writeFileSync(join(directory, "interbank", "beneficiaries.jsonl"), `${JSON.stringify(otherBank)}\n`);
  const seen = new Set<string>();
  const timer = setInterval(() => names.forEach((name) => settle(join(directory, name), seen)), lookEveryMs);
  return { railsFile, directory, seen, [Symbol.dispose]: () => clearInterval(timer) };
}

function settle(folder: string, seen: Set<string>): void {
  for (const { referenceNo, beneficiaryAccountNo } of linesIn(folder)) {
    if (seen.has(referenceNo)) continue;
    seen.add(referenceNo);
    if (beneficiaryAccountNo === silentAccountNo) continue;
    appendFileSync(join(folder, "results", "day.jsonl"), `${JSON.stringify({ referenceNo, result: "settled" })}\n`);
  }
}

function linesIn(folder: string): readonly Line[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith("instructions-"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").slice(0, -1))
    .map((line) => JSON.parse(line) as Line);
}
