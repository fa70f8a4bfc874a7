/** `titian rails` as operators type it for a cell. */
import { homeCell } from "../basics/ids.ts";

export function railsCommand(cell: number): string {
  return cell === homeCell ? "titian rails" : `titian --cell ${cell} rails`;
}
