/** Sees to it that the rail takes instructions: by the sandbox's clock, which is moved where it must be, and never silently. */
import type { RailName } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { CallRow } from "../control/call-row.ts";
import { note } from "../output.ts";
import { railModes } from "../rails/rail-modes.ts";

/** Where the clock was moved to (ISO 8601); undefined: it was not. @throws CliError where the rail stays closed. */
export async function openRail(call: CallRow, rail: RailName, keepClock: boolean): Promise<string | undefined> {
  const { now, rails } = await call("GET /rails");
  const found = rails.find((one) => one.rail === rail);
  if (!found) throw new CliError(`The sandbox has no rail ${rail}.`);
  const { mode, isOpen, opensAt } = found;
  if (mode !== null && mode !== "normal") {
    note(`The rail ${rail} is in the mode ${mode}: ${railModes[mode]}.`);
  }
  if (isOpen) return undefined;
  if (opensAt === undefined)
    throw new CliError(`The rail ${rail} is closed at ${now}, and does not open within a year.`);
  if (keepClock) {
    throw new CliError(
      `The rail ${rail} is closed at ${now}, the sandbox's time, until ${opensAt}. Leave --keep-clock out, and the clock is moved there; nothing was sent.`,
    );
  }
  note(`The rail ${rail} is closed at ${now}, the sandbox's time.`);
  note(
    `The sandbox's clock is moved to ${opensAt}. It never moves back; a new data directory starts at the real time.`,
  );
  await call("POST /clock", { body: { set: opensAt } });
  return opensAt;
}
