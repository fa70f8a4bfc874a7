/** Places of rails of files in the directory of an installation (docs/adr/0099-directories-of-cells.md). */
import { join } from "node:path";
import type { RailName } from "@titian/server/rails";

/** Each cell beside home has folders of its own: lines, positions and the lease are those of one database. */
export function railFolder(directory: string, cell: number, rail: RailName): string {
  return cell === 0 ? join(directory, rail) : join(directory, `cell-${cell}`, rail);
}

/** One for all cells: accounts at other banks (16) are home's to ask about. */
export function beneficiariesFile(directory: string, rail: RailName): string {
  return join(railFolder(directory, 0, rail), "beneficiaries.jsonl");
}
