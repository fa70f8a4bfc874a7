/** Finds an operation by name, service code or path. */
import { operations } from "@titian/contract";
import type { CallName } from "@titian/client";
import { suggest } from "@titian/explain/nearest";
import { usageError } from "../cli-error.ts";
import { formatTable } from "../tables/table.ts";

type Row = (typeof operations)[keyof typeof operations];

/** Operations that partners call; the others are notifications of the provider. */
export type CallableRow = Extract<Row, { readonly name: CallName }>;

const rows: readonly Row[] = Object.values(operations);
const callable: readonly CallableRow[] = rows.filter((row) => row.direction === "toProvider");

/** @throws CliError that suggests the nearest name. */
export function findOperation(text: string): CallableRow {
  const lowered = text.toLowerCase();
  const path = lowered.replace(/^.*\/v\d+(?:\.\d+)?\//, "").replace(/^\//, "");
  const isNamed = (row: Row) => row.code === lowered || row.name.toLowerCase() === lowered || row.path === path;
  const found = callable.find(isNamed);
  if (found !== undefined) return found;
  const notification = rows.find(isNamed);
  if (notification !== undefined) {
    throw usageError(`${notification.name} (${notification.code}) is sent by the service to its partners, not called.`);
  }
  const names = callable.flatMap((row) => [row.name, row.path]);
  throw usageError(
    `There is no operation "${text}"${suggest(text, names)}\n\`titian call --help\` lists the operations: give a name, a service code or a path.`,
  );
}

/** The operations as a table, sorted by code. */
export function listOperations(): string {
  const sorted = callable.toSorted((a, b) => Number(a.code) - Number(b.code));
  return formatTable({ code: "code", name: "operation", path: "path", title: "description" }, sorted);
}
