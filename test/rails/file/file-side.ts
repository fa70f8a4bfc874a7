/**
 * The other side of a file rail: a program that reads its instructions and writes results, as docs/reference/rails.md
 * says.
 */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Instruction } from "../../../packages/server/src/rails/rail.ts";
import { useDatabase } from "../../support/database/database.ts";
import { runStatements } from "../../support/database/with-client.ts";
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

/** The path of its newest file of instructions. */
export function newestFileIn(directory: string): string {
  return join(directory, instructionFilesIn(directory).at(-1) ?? "");
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
function instructionFilesIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => /^instructions.*\.jsonl$/.test(name))
    .toSorted();
}

export function tell(directory: string, file: string, ...results: readonly (object | string)[]): void {
  const lines = results.map((result) => `${typeof result === "string" ? result : JSON.stringify(result)}\n`);
  appendFileSync(join(directory, "results", file), lines.join(""));
}

/** Instructions by the rule of the format: a sequence, number or key that was seen before is the same one. */
export function carriedIn(directory: string): readonly Instruction[] {
  const seen = new Set<string>();
  return instructionsIn(directory).filter((line) => {
    const { sequence } = line as Instruction & { readonly sequence: number };
    const names = [`${sequence}`, line.referenceNo, line.idempotencyKey];
    const isNew = !names.some((name) => seen.has(name)) && Date.parse(line.validUntil) > Date.now();
    if (isNew) for (const name of names) seen.add(name);
    return isNew;
  });
}

/** Gives the rail's lease to a node that does nothing; answers how to take it back. */
async function giveAway(url: string, rail: string): Promise<() => Promise<void>> {
  await runStatements(url, [
    `update rail_leases set holder = gen_random_uuid(), fence = fence + 1, compared_fence = fence + 1, expires_at = clock_timestamp() + interval '50 s'
      where rail = '${rail}'`,
  ]);
  return () => runStatements(url, [`update rail_leases set expires_at = '-infinity' where rail = '${rail}'`]);
}

export async function startFileSide(): Promise<OtherSide> {
  const directory = scratchDirectory();
  const database = await useDatabase();
  const plan = { kind: "file", name: "skn", directory, url: database.url } as const;
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
    openAll: () => Promise.all([openRail(plan), openRail(plan)]),
    accountOf: (ending) => (ending === "settled" ? settledAccount : rejectedAccount),
    silence: async () => undefined,
    end: async () => {
      ends += 1;
      const open = instructionsIn(directory).filter(({ referenceNo }) => !ended.has(referenceNo));
      for (const { referenceNo } of open) ended.add(referenceNo);
      if (open.length > 0) tell(directory, file(), ...open.map(resultOf));
    },
    bringBack: async (referenceNo) => tell(directory, file(), { referenceNo, result: "returned" }),
    carried: async (referenceNo) => carriedIn(directory).filter((one) => one.referenceNo === referenceNo).length,
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
      return giveAway(plan.url, plan.name);
    },
    close: () => database.drop(),
  };
}
