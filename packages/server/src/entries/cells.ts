/** Part of the entry of administration: further databases of an installation, and accounts in them. */
export { addCell } from "../admin/cells/add-cell.ts";
export { compareCells } from "../admin/cells/compare-cells.ts";
export { adoptLostPayments, listLostPayments, type LostPayment } from "../admin/cells/adopt-transit.ts";
export {
  type AccountPlace,
  findPlace,
  listPlaces,
  moveAccount,
  type MoveAccountDeps,
} from "../admin/cells/move-account.ts";
export { openCellPools, withCellPool } from "../admin/cells/cell-pool.ts";
export { findCellFault, findHomeFaults, findOperatorsFault } from "../admin/cells/check-cells.ts";
export { cellOfId } from "../operations/cells/place-call.ts";
export { allCells, type CellAddress } from "../basics/cell-address.ts";
export { readCellRecord as findCellRecord, readCellRows as listCells } from "../store/reference/cells.ts";
