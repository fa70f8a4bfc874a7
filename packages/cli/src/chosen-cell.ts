/** The cell that `--cell` names: commands work on its database, or ask a service to. */
import { usageError } from "./cli-error.ts";

let chosen = 0;

/** Commands that say by themselves how a cell is named to them. */
const ofOneDatabase = new Set(["audit", "database", "operators", "secrets"]);

/** Commands about what a cell has of its own. Partners, merchants, switches and consents are home's. */
const ofCells = new Set([
  "account",
  "act",
  "bulk",
  "find",
  "hold",
  "ledger",
  "notification",
  "payment-request",
  "rails",
  "transfer",
]);

/** Set once, before any action of the command. @throws CliError where it is no number of a cell, or the command works on home. */
export function chooseCell(text: unknown, command: string): void {
  chosen = 0;
  if (text === undefined) return;
  if (typeof text !== "string" || !/^\d{1,3}$/.test(text) || Number(text) > 255)
    throw usageError("--cell takes the number of a cell: 0, home, to 255.");
  chosen = Number(text);
  if (chosen !== 0 && !ofCells.has(command) && !ofOneDatabase.has(command))
    throw usageError(
      `titian ${command} works on home, which has partners, merchants, switches and consents for all cells: leave --cell out.`,
    );
}

/** 0: home. */
export function chosenCell(): number {
  return chosen;
}

/** @throws CliError where `--cell` names another one than home: the command has one database, that of DATABASE_URL. */
export function requireOneDatabase(): void {
  if (chosen === 0) return;
  throw usageError("This command works on the database of DATABASE_URL: name the cell's there, and leave --cell out.");
}

/** @throws CliError where `--cell` names another one than home: that has the places of all accounts. */
export function requireHome(): void {
  if (chosen === 0) return;
  throw usageError("This command works on home, which has the cells of all accounts: leave --cell out.");
}

/** @throws CliError where `--cell` names another one than home: the command makes calls of a partner. */
export function requireAccountsCell(): void {
  if (chosen === 0) return;
  throw usageError(
    "This command makes a partner's calls, which the account that pays leads to its cell: leave --cell out.",
  );
}

/** Option that a hint gives the command of this name, so that it works on the same cell; empty: none. */
export function cellOption(command: string): string {
  return chosen !== 0 && ofCells.has(command) ? ` --cell ${chosen}` : "";
}
