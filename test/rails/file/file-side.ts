/** The other side of a file rail: a program that reads its instructions and writes results, as docs/rails.md says. */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Instruction } from "../../../packages/server/src/rails/rail.ts";
import { openRail } from "../contract/open-rail.ts";
import type { OtherSide } from "../contract/other-side.ts";

const settledAccount = "1000000001";
const rejectedAccount = "2000000002";

/** Removed after the test, or the file, that asks for it. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "titian-file-rail-"));
  after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Complete lines only: the last one may still be being written. */
export function instructionsIn(directory: string): readonly Instruction[] {
  return instructionFilesIn(directory).flatMap((name) =>
    readFileSync(join(directory, name), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  );
}

/** Names of the files of instructions, the oldest first. */
export function instructionFilesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => /^instructions.*\.jsonl$/.test(name))
    .toSorted();
}

export function tell(directory: string, file: string, ...results: readonly (object | string)[]): void {
  const lines = results.map((result) => `${typeof result === "string" ? result : JSON.stringify(result)}\n`);
  appendFileSync(join(directory, "results", file), lines.join(""));
}

/** Gives the directory to another process; answers how to take it back. */
export function giveAway(directory: string): () => void {
  const numbers = readdirSync(directory).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? 0));
  const path = join(directory, `lock-${Math.max(...numbers) + 1}`);
  const other = { pid: process.ppid, host: hostname() };
  writeFileSync(path, JSON.stringify(other));
  return () => writeFileSync(path, JSON.stringify({ ...other, isReleased: true }));
}

export function startFileSide(): OtherSide {
  const directory = scratchDirectory();
  const plan = { kind: "file", name: "skn", directory } as const;
  const beneficiary = { bankCode: "014", accountNo: settledAccount, name: "Siti Rahayu", currency: "IDR" };
  writeFileSync(join(directory, "beneficiaries.jsonl"), `${JSON.stringify(beneficiary)}\n`);
  const ended = new Set<string>();
  let ends = 0;
  const resultOf = ({ referenceNo, beneficiaryAccountNo }: Instruction) =>
    beneficiaryAccountNo === rejectedAccount
      ? { referenceNo, result: "rejected", rejection: "beneficiaryInactive" }
      : { referenceNo, result: "settled", traceNo: referenceNo.slice(-16) };
  // Two batches go into each file.
  const file = () => `batch-${String(Math.floor(ends / 2)).padStart(6, "0")}.jsonl`;
  return {
    plan,
    open: () => openRail(plan),
    openAll: async () => [await openRail(plan)],
    accountOf: (ending) => (ending === "settled" ? settledAccount : rejectedAccount),
    silence: async () => undefined,
    end: async () => {
      ends += 1;
      const open = instructionsIn(directory).filter(({ referenceNo }) => !ended.has(referenceNo));
      for (const { referenceNo } of open) ended.add(referenceNo);
      if (open.length > 0) tell(directory, file(), ...open.map(resultOf));
    },
    bringBack: async (referenceNo) => tell(directory, file(), { referenceNo, result: "returned" }),
    carried: async (referenceNo) => instructionsIn(directory).filter((one) => one.referenceNo === referenceNo).length,
    misreport: async (referenceNo) => {
      ended.add(referenceNo);
      tell(
        directory,
        file(),
        { referenceNo, result: "setled" },
        { referenceNo, result: "rejected", rejection: "unheardOf" },
        { referenceNo, result: true },
        `{"referenceNo":"${referenceNo}","result":"settled","result":"rejected"}`,
        `{"referenceNo":"${referenceNo}","result":"settled"`,
      );
    },
    cut: async () => {
      const takeBack = giveAway(directory);
      return async () => takeBack();
    },
    close: async () => undefined,
  };
}
