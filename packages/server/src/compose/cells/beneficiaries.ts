/** Beneficiaries in other cells, as approvals of payment requests (19) in one reach them. */
import { withCellPool } from "../../admin/cells/cell-pool.ts";
import { homeCell } from "../../basics/ids.ts";
import { isLost } from "../../operations/accounts-elsewhere.ts";
import { findPayee, type SeenPayee, seePayee } from "../../operations/transfers/see-payee.ts";
import type { BeneficiariesElsewhere } from "../../rails/commands/answer-payment-request.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findAccountsByNumber } from "../../store/reads/accounts.ts";
import type { Core } from "../core.ts";
import type { OtherCells } from "./other-cells.ts";

/** As operations of the payer's cell reach them. */
export function beneficiariesOf({ cell, stream }: OtherCells, { cell: from, reference }: Core): BeneficiariesElsewhere {
  return {
    see: async ({ partner, cell: to, accountNo, currency }) => {
      const isStopped = stream(from, to)?.isStopped(currency) !== false;
      const seen = isStopped ? undefined : await seePayee(cell(to), { partner, accountNo, from, currency });
      return unlessLost(seen, accountNo, reference);
    },
    arrive: async ({ cell: to, currency, version }) => {
      await stream(from, to)?.waitForMirror({ currency, version });
    },
  };
}

/** As a command reaches them, by their addresses; nodes of the service ship what it sends within a second. */
export function beneficiariesByAddress({ cell: from, config, homeUrl, reference }: Core): BeneficiariesElsewhere {
  const addressOf = (cell: number) =>
    cell === homeCell ? { url: homeUrl } : config.cells.find(({ number }) => number === cell);
  return {
    see: async ({ cell, accountNo, currency }) => {
      const address = addressOf(cell);
      const look = (pool: StatementPool) =>
        findPayee((accountNos) => findAccountsByNumber(pool, accountNos), { accountNo, from, currency });
      return unlessLost(address && (await withCellPool(address, look).catch(() => undefined)), accountNo, reference);
    },
    arrive: async () => undefined,
  };
}

/** Money for one that has moved goes on: only a lost one is left for later. */
function unlessLost(
  seen: SeenPayee | undefined,
  accountNo: string,
  reference: Core["reference"],
): SeenPayee | undefined {
  return isLost(seen?.account, accountNo, reference.current().directory) ? undefined : seen;
}
