/** Beneficiaries in other cells, as approvals of payment requests (19) in one reach them. */
import { withCellPool } from "../../admin/cells/cell-pool.ts";
import { homeCell } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { seePayee } from "../../operations/transfers/see-payee.ts";
import type { BeneficiariesElsewhere } from "../../rails/commands/answer-payment-request.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import { readTransitPositions } from "../../store/reads/transit.ts";
import type { Core } from "../core.ts";
import type { OtherCells } from "./other-cells.ts";

/** `from`: the payer's cell. */
export function beneficiariesOf({ cell, stream }: OtherCells, from: number): BeneficiariesElsewhere {
  return {
    see: async ({ partner, cell: to, accountNo, currency }) => {
      const isStopped = stream(from, to)?.isStopped(currency) !== false;
      return isStopped ? undefined : seePayee(cell(to), { partner, accountNo, from, currency });
    },
    arrive: async ({ cell: to, currency, version }) => {
      await stream(from, to)?.waitForMirror({ currency, version });
    },
  };
}

/** As a command reaches them, by their addresses; nodes of the service ship what it sends within a second. */
export function beneficiariesByAddress({ cell: from, config, homeUrl }: Core): BeneficiariesElsewhere {
  const addressOf = (cell: number) =>
    cell === homeCell ? { url: homeUrl } : config.cells.find(({ number }) => number === cell);
  return {
    see: async ({ cell, accountNo, currency }) => {
      const address = addressOf(cell);
      const inNo = internalAccountNo("transit", currency, "in", from);
      return (
        address &&
        withCellPool(address, async (pool) => ({
          account: await findAccountByNumber(pool, accountNo),
          mirror: (await readTransitPositions(pool, [inNo])).get(inNo),
        })).catch(() => undefined)
      );
    },
    arrive: async () => undefined,
  };
}
