/** Cells of CSV files that people open in a spreadsheet. */

/** A spreadsheet computes a cell that begins so, full-width signs included: a name can be a formula that sends data away. */
const formula = /^(?:[\s']*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** The cell with an apostrophe in front where it would be a formula; `restoreCell` takes it away. */
export function neutralizeCell(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}

/** A cell as it was before `neutralizeCell`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}

export function writeRow(cells: readonly (string | undefined)[], delimiter: string): string {
  return `${cells.map((cell = "") => quote(neutralizeCell(cell))).join(delimiter)}\n`;
}

function quote(cell: string): string {
  return /["\n\r,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
