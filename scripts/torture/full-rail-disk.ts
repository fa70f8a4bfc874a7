/**
 * `npm run torture -- full-rail-disk`: the disk of a rail of files (4 MiB in memory) is full while partners pay by interbank
 * transfer (18), until there is space again: each instruction then has one whole line, sequences have no gap, and who was
 * answered that nothing was taken has no line. Linux, as root, which may mount it. `npm run torture -- full-rail-disk --seconds=5`.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { interbank } from "../../test/support/black-box/rails/rail-services.ts";
import { railBody } from "../../test/support/black-box/rails/rail-transfers.ts";
import { type Production, startProduction } from "../../test/support/black-box/start-production.ts";
import { queryRows } from "../../test/support/database/with-client.ts";
import { readCount, report } from "./command-line.ts";
import { fill, withSmallDisk } from "./small-disk.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
const seconds = readCount("seconds", values.seconds);
const openMaxMs = 60_000;

interface Line {
  readonly referenceNo: string;
  readonly sequence: number;
  readonly validUntil: string;
}

const settings = mkdtempSync(join(tmpdir(), "titian-rails-"));
const railsFile = join(settings, "rails.json");
const rail = (name: string) => ({ name, currency: "IDR", min: "1.00", fee: "0", sharedFeeMax: "1000.00" });
writeFileSync(railsFile, JSON.stringify(["interbank", "rtgs", "skn"].map(rail)));
try {
  await withSmallDisk("4m", async (directory) => {
    const env = {
      TITIAN_RAIL_DIRECTORY: directory,
      TITIAN_RAILS_FILE: railsFile,
      TITIAN_INTERBANK_WAIT_SECONDS: "1",
      TITIAN_RAIL_INQUIRY_MAX_INTERVAL_SECONDS: "10",
    };
    await using production = await startProduction(env);
    const folder = join(directory, "interbank");
    mkdirSync(join(folder, "results"), { recursive: true });
    report(
      "full rail disk",
      await fillWhilePaying(production, folder),
      "one line an instruction, none of a rejected one",
    );
  });
} finally {
  rmSync(settings, { recursive: true });
}

async function fillWhilePaying(production: Production, folder: string) {
  const gateway = startGateway(folder);
  const counts = new Map<string, number>();
  const pay = async (from: string) => {
    const { code } = await production.caller.call(interbank.path, railBody(interbank, from));
    counts.set(code, (counts.get(code) ?? 0) + 1);
  };
  const payers = production.caller.partner.sourceAccounts;
  await Promise.all(payers.map(pay));
  const filler = join(folder, "filler");
  fill(filler);
  const until = performance.now() + seconds * 1_000;
  const payOn = async (from: string) => {
    while (performance.now() < until) await pay(from);
  };
  await Promise.all(payers.map(payOn));
  rmSync(filler);
  const open = await countOpen(production);
  await Promise.all(payers.map(pay));
  const openUntil = performance.now() + openMaxMs;
  while ((await countOpen(production)) > 0 && performance.now() < openUntil) await sleep(500);
  gateway.close();
  const lines = linesIn(folder);
  const faults = await findFaults(production, lines, gateway.carried);
  if (!/"event":"rail\.export_failed".*ENOSPC/.test(production.service.output())) faults.push("the disk was not full");
  const empty = instructionFiles(folder).filter((name) => statSync(join(folder, name)).size === 0);
  if (empty.length > 0) faults.push(`${empty.length} empty files of instructions`);
  const torn = /"event":"rail\.lines_unreadable".*newline/.test(production.service.output());
  const list = [...counts].map(([code, count]) => `${count} × ${code}`).join(", ");
  const files = instructionFiles(folder).length;
  const place = torn ? "a torn line, named in the log" : "no torn line";
  return {
    faults,
    summary: `${list}; ${open} open when there was space; ${lines.length} lines, ${files} files; ${place}`,
  };
}

async function countOpen({ databaseUrl }: Production): Promise<number> {
  return (await queryRows(databaseUrl, "select id from transfers where is_open")).length;
}

/** `carried`: numbers, in the order that the gateway carried them. */
async function findFaults({ databaseUrl }: Production, lines: readonly Line[], carried: readonly string[]) {
  const faults: string[] = [];
  const rows = (await queryRows(databaseUrl, "select id, state from transfers")) as { id: string; state: string }[];
  for (const { id, state } of rows) {
    const number = toReferenceNo(id);
    const written = lines.filter(({ referenceNo }) => referenceNo === number).length;
    const times = carried.filter((referenceNo) => referenceNo === number).length;
    const expected = state === "settled" ? 1 : 0;
    if (!["settled", "rejected"].includes(state) || written !== expected || times !== expected)
      faults.push(`${number} is ${state}, has ${written} lines, and was carried ${times} times`);
  }
  const sequences = lines.map(({ sequence }) => sequence).toSorted((a, b) => a - b);
  if (sequences.some((sequence, index) => sequence !== index + 1)) faults.push(`sequences: ${sequences.join(" ")}`);
  if (carried.length > rows.length) faults.push("more was carried than accepted");
  return faults;
}

/**
 * The other side, which carries by the rules of docs/reference/rails.md, and settles what it carried once it can write.
 */
function startGateway(folder: string) {
  const carried: string[] = [];
  const seen = new Set<number>();
  let told = 0;
  const work = () => {
    for (const { referenceNo, sequence, validUntil } of linesIn(folder)) {
      if (seen.has(sequence) || Date.parse(validUntil) < Date.now()) continue;
      seen.add(sequence);
      carried.push(referenceNo);
    }
    for (; told < carried.length; told += 1) {
      try {
        const result = { referenceNo: carried[told], result: "settled" };
        // A file a result: none is torn.
        writeFileSync(join(folder, "results", `.${told}`), JSON.stringify(result) + "\n");
        renameSync(join(folder, "results", `.${told}`), join(folder, "results", `${told}.jsonl`));
      } catch {
        return;
      }
    }
  };
  const timer = setInterval(work, 50);
  return { carried, close: () => clearInterval(timer) };
}

function instructionFiles(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith("instructions-"));
}

/** Complete ones. */
function linesIn(folder: string): readonly Line[] {
  return instructionFiles(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line): Line => JSON.parse(line)),
  );
}
