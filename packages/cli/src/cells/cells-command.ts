/** `titian cells`: further databases of an installation. */
import type { Command } from "commander";

/** Loaded when one runs: help needs only the options. */
const actions = () => import("./cells-actions.ts");

const examples = `
A cell is a database with the accounts of some ranges of numbers; home, the database of
DATABASE_URL, has all others, with partners, merchants and this list. TITIAN_CELLS names a
file with one line a cell: its number, its address, its ranges. TITIAN_ADMIN_CELLS is the
same file with addresses of administration, for these commands.

Examples:
  titian cells list
  titian cells check
  titian cells add 1
  titian cells adopt 1
  titian cells adopt 1 --reason "restored to 24 November, 09:30"

docs/guides/cells.md describes how to set one up.`;

export function addCells(program: Command): void {
  const command = program
    .command("cells")
    .description("further databases with accounts of their own: list, check, add, adopt")
    .addHelpText("after", examples);
  command
    .command("list")
    .description("list home and its cells with their ranges of account numbers")
    .option("--json", "as JSON")
    .action(async (flags: { readonly json?: true }) => (await actions()).list(flags));
  command
    .command("check")
    .description("compare the file, home's list, and the database at each address")
    .option("--json", "as JSON")
    .action(async (flags: { readonly json?: true }) => (await actions()).check(flags));
  command
    .command("add")
    .description("add the cell of that line of the file to home's list; it may be repeated")
    .argument("<number>", "1 to 255, as the file has it")
    .action(async (number: string) => (await actions()).add(number));
  command
    .command("adopt")
    .description("list the payments to other cells that a restored cell has lost, or write them back")
    .argument("<number>", "of the restored cell; 0: home")
    .option("--reason <text>", "write them back: restored funds pay, until their payers are found")
    .option("--json", "as JSON")
    .action(async (number: string, flags: { readonly reason?: string; readonly json?: true }) =>
      (await import("./adopt-payments.ts")).adopt(number, flags),
    );
}
