/** Cells of the node that serves the calls. */
import type { ServiceParts } from "@titian/server";
import { AdminError, cellOfId, type Core } from "@titian/server/admin";
import type { ControlCells } from "./place-call.ts";

/** Home and the cells beside it, as far as they are served now. */
export interface ServedCells<Service extends { readonly core: Core } = { readonly core: Core }>
  extends Pick<ServiceParts["cells"], "streams"> {
  all(): readonly Service[];
}

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
export function serviceOfCell<Service extends { readonly core: Core }>(
  cells: Pick<ServedCells<Service>, "all">,
  cell: number,
): Service {
  const found = cells.all().find(({ core }) => core.cell === cell);
  if (found) return found;
  throw new AdminError(
    `Cell ${cell} is not served by this node now: its database does not answer, or TITIAN_CELLS does not name it.`,
  );
}
