/** The line of `scripts/torture/README.md` that a run which ended whole prints, to be pasted there. */
import { spawnSync } from "node:child_process";
import { seedOfRun } from "./command-line.ts";

/** With an option other than its seed it is not whole. */
const isWhole = () => process.argv.slice(2).every((text) => text.startsWith("--seed="));

export function printRowAtEnd(subject: string): void {
  if (!isWhole()) return;
  const startedAt = performance.now();
  process.once("exit", (code) => {
    // Stopped, or called in a wrong way: nothing was found out.
    if (code > 1) return;
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
    const result = `${code === 0 ? "clean" : "faults"}, ${minutes} min`;
    const cells = [subject, today(), commit(), seedOfRun() ?? "none", result];
    console.log(`\nThe row for scripts/torture/README.md:\n| ${cells.join(" | ")} |`);
  });
}

const today = () => new Date().toISOString().slice(0, 10);

function commit(): string {
  const git = (...args: readonly string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout.trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") === "" ? "" : " and changes"}`;
}
