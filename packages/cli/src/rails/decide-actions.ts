/** Actions of the commands about directories of `titian rails`. */
import { join } from "node:path";
import { findResults } from "@titian/rail-files";
import {
  type Core,
  decideOnDifference,
  type DifferenceDecision,
  findSetAside,
  type RailName,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { print } from "../output.ts";
import { valueOf, withCore } from "../with-core.ts";
import { directoryOf } from "./directory-of.ts";

export interface DecideFlags {
  readonly notCarried?: true;
  readonly carried?: true;
  readonly exportAgain?: true;
  readonly reason: string;
}

interface Decided {
  readonly referenceNo: string;
  /** The rail's folder; undefined: that in TITIAN_RAIL_DIRECTORY. */
  readonly directory: string | undefined;
}

const reasonMax = 500;

export async function decide(rail: RailName, { referenceNo, directory }: Decided, flags: DecideFlags): Promise<void> {
  const decision = decisionOf(flags);
  const reason = flags.reason.trim();
  if (reason === "" || reason.length > reasonMax) throw usageError(`--reason must have 1 to ${reasonMax} characters.`);
  const folder = join(directoryOf(rail, directory), "results");
  const decided = await withCore(async (core) => {
    await rejectDisproved(core, { rail, folder }, referenceNo, decision);
    return decideOnDifference(core.adminPool, rail, { referenceNo, decision, reason, at: core.clock.real() });
  });
  valueOf(decided);
  print(`Decided: ${decision} of ${referenceNo}.`);
}

function decisionOf({ notCarried, carried, exportAgain }: DecideFlags): DifferenceDecision {
  if (notCarried) return "not_carried";
  if (carried) return "carried";
  if (exportAgain) return "export_again";
  throw usageError("One of --not-carried, --carried and --export-again is required.");
}

/** Results that show an instruction was carried out, or came to its end. */
const disproving: Readonly<Partial<Record<DifferenceDecision, readonly string[]>>> = {
  not_carried: ["settled", "returned"],
  export_again: ["settled", "returned", "rejected"],
};

interface ResultsOfRail {
  readonly rail: RailName;
  readonly folder: string;
}

/** @throws when the rail itself has told otherwise: its results are not read while it is stopped. */
async function rejectDisproved(
  { pool, railRecords }: Core,
  { rail, folder }: ResultsOfRail,
  referenceNo: string,
  decision: DifferenceDecision,
): Promise<void> {
  const disproved = disproving[decision];
  if (disproved === undefined) return;
  const { ledgerId } = await railRecords(rail).origin();
  const { byNumber, unread } = await findResults(folder, { ledgerId, numbers: new Set([referenceNo]) });
  const inFiles = byNumber.get(referenceNo) ?? [];
  const setAside = await findSetAside(pool, rail, [referenceNo]);
  const told = [...inFiles.map(({ state }) => String(state.kind)), ...setAside.map(({ state }) => state)];
  const [first] = told.filter((state) => disproved.includes(state));
  if (first === undefined && unread.length > 0)
    throw new CliError(
      `Nothing was decided: what the rail reported of ${referenceNo} is not known. In ${folder}, ${unread.join("; ")}. Give the file back, or move away what is none.`,
    );
  if (first === undefined) return;
  const instead =
    decision === "not_carried"
      ? "--not-carried is of what never was: titian rails adopt; where that refuses it, decide --carried"
      : "Decide --carried";
  throw new CliError(`The rail reported ${referenceNo} as ${first}. ${instead}.`);
}
