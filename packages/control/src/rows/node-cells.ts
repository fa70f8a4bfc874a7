/** Cells of the node that serves the calls. */
import type { ServiceParts } from "@titian/server";
import { AdminError, cellOfId, type Core } from "@titian/server/admin";
import type { ControlCells } from "./place-call.ts";

type Cells = ServiceParts["cells"];

/** By home's list: of a cell that the settings do not name nothing is said. */
export function listedCells({ config, reference }: Pick<Core, "config" | "reference">): ControlCells {
  const directory = () => reference.current().directory;
  return {
    isChosen: config.cells.length > 0,
    numbers: () => directory().cells,
    cellOf: (accountNo) => directory().cellOf(accountNo),
    cellOfId: (id) => cellOfId(id, directory()),
  };
}

/** @throws AdminError where this node does not reach it */
export function serviceOfCell(cells: Pick<Cells, "all">, cell: number): ReturnType<Cells["all"]>[number] {
  const found = cells.all().find(({ core }) => core.cell === cell);
  if (found) return found;
  throw new AdminError(
    `Cell ${cell} is not served by this node now: its database does not answer, or TITIAN_CELLS does not name it.`,
  );
}
