/** Actions of `titian rails reconcile` and `titian rails open`. */
import { escapeControls } from "@titian/contract";
import { join } from "node:path";
import {
  type Core,
  findSetAside,
  openRailDirectory,
  type RailDifferenceRow,
  type RailName,
  readInstructionLine,
} from "@titian/server/admin";
import { blockingKinds, findResults, type JudgedLine, type Review, reviewDirectory } from "@titian/rail-files";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import { withCore } from "../with-core.ts";
import { directoryOf } from "./directory-of.ts";

export interface ReconcileFlags {
  readonly json?: true;
}

const shownMax = 10_000;

export async function reconcile(rail: RailName, given: string | undefined, flags: ReconcileFlags): Promise<ExitCode> {
  const directory = directoryOf(rail, given);
  const found = await withCore((core) => compare(core, rail, directory));
  if (flags.json) print(formatJson({ differences: found.differences, lines: found.lines, counts: found.counts }));
  else show(found);
  return found.isOpen ? exitCodes.failed : exitCodes.done;
}

export async function open(rail: RailName, given: string | undefined): Promise<ExitCode> {
  const directory = directoryOf(rail, given);
  return withCore(async (core) => {
    const found = await compare(core, rail, directory);
    const behind = found.isOpen ? undefined : await openRailDirectory(core, rail, found.sequence);
    if (behind === undefined) {
      show(found);
      note(`The ${rail} rail is not opened: decide on each open difference, and give changed or foreign lines back.`);
      return exitCodes.failed;
    }
    print(`Opened: the ${rail} rail goes on behind sequence ${behind}.`);
    return exitCodes.done;
  });
}

interface Compared extends Pick<Review, "counts" | "sequence"> {
  readonly differences: readonly ShownDifference[];
  readonly lines: readonly ShownLine[];
  /** True: something keeps the rail from being opened. */
  readonly isOpen: boolean;
}

interface ShownLine {
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

async function compare(core: Core, rail: RailName, directory: string): Promise<Compared> {
  const records = core.railRecords(rail);
  const lines: ShownLine[] = [];
  const onLine = (line: JudgedLine) => {
    if (lines.length < shownMax && line.verdict !== "decided") lines.push(toShownLine(line));
  };
  const { counts, sequence } = await reviewDirectory({
    directory,
    records,
    now: core.clock.now(),
    isWhole: true,
    isHolder: false,
    onLine,
  });
  const differences: ShownDifference[] = [];
  let isOpen = blockingKinds.some((kind) => counts[kind] > 0);
  for (let behind = 0; ; ) {
    const page = await records.listDifferences(behind);
    const last = page.at(-1);
    if (last === undefined) return { counts, sequence, lines, differences, isOpen };
    behind = last.id;
    isOpen ||= page.some(({ decision }) => decision === undefined);
    if (differences.length < shownMax) differences.push(...(await toShown(core, { rail, directory }, page)));
  }
}

function toShownLine({ verdict: kind, line: { file, line, content } }: JudgedLine): ShownLine {
  return { kind, file, line, what: content.ok ? content.line.terms.referenceNo : content.fault };
}

type ShownDifference = Awaited<ReturnType<typeof toShown>>[number];

/** With all that tells what became of each. */
async function toShown(
  { pool, railRecords }: Core,
  { rail, directory }: { readonly rail: RailName; readonly directory: string },
  page: readonly RailDifferenceRow[],
) {
  const numbers = page.map(({ referenceNo }) => referenceNo);
  const records = railRecords(rail);
  const { ledgerId } = await records.origin();
  const { byNumber: inFiles } = await findResults(join(directory, "results"), { ledgerId, numbers: new Set(numbers) });
  const setAside = Map.groupBy(await findSetAside(pool, rail, numbers), ({ referenceNo }) => referenceNo);
  const { known } = await records.findToReview(numbers);
  const states = new Map(known.map(({ terms, state }) => [terms.referenceNo, state?.kind]));
  return page.map(({ referenceNo, sequence, kind, line, place, decision, reason }) => {
    const read = readInstructionLine(line);
    const { terms, record } = read.ok ? read.line : {};
    const told = [
      ...(inFiles.get(referenceNo) ?? []).map(({ state }) => state.kind),
      ...(setAside.get(referenceNo) ?? []).map(({ state }) => state),
      ...(states.get(referenceNo) ? [String(states.get(referenceNo))] : []),
    ];
    const results = [...new Set(told)];
    const { file, line: number } = place ?? {};
    return { kind, sequence, referenceNo, ...record, ...terms, file, line: number, results, decision, reason };
  });
}

const differenceColumns = {
  kind: "directory is",
  sequence: "sequence",
  referenceNo: "reference no",
  service: "service",
  partner: "partner",
  amount: amountColumn("amount"),
  place: "place",
  results: "results",
  decision: "decision",
};

const lineColumns = { kind: "line", file: "file", line: "no", what: "number or fault" };

function show({ differences, lines, counts, isOpen }: Compared): void {
  if (differences.length > 0) print(formatTable(differenceColumns, differences.map(rowOf)));
  if (lines.length > 0) print(formatTable(lineColumns, lines));
  const { agrees, ahead, behind } = counts;
  note(
    `${agrees} lines agree, ${ahead} are ahead, ${behind} are missing; ${isOpen ? "something is open" : "nothing is open"}.`,
  );
}

function rowOf(shown: ShownDifference) {
  const { kind, sequence, referenceNo, serviceCode, partnerId, amount, currency, file, line, results, decision } =
    shown;
  return {
    kind,
    sequence,
    referenceNo,
    // A file may hold anything.
    service: escapeControls(serviceCode ?? ""),
    partner: escapeControls(partnerId ?? ""),
    amount: escapeControls(amount === undefined ? "" : `${amount} ${currency}`),
    place: file === undefined ? "" : `${file} line ${line}`,
    results: results.join(", "),
    decision: decision ?? "open",
  };
}
