/** Beneficiaries in other cells, as approvals of payment requests (19) in one reach them. */
import { seePayee } from "../../operations/transfers/see-payee.ts";
import type { BeneficiariesElsewhere } from "../../rails/commands/answer-payment-request.ts";
import type { OtherCells } from "./serve-cell.ts";

/** Longest wait for the beneficiary's money (ms). */
const mirrorMs = 500;

/** `from`: the payer's cell. */
export function beneficiariesOf({ cell, stream }: OtherCells, from: number): BeneficiariesElsewhere {
  return {
    see: async ({ partner, cell: to, accountNo, currency }) => {
      const isStopped = stream(from, to)?.isStopped(currency) !== false;
      return isStopped ? undefined : seePayee(cell(to), { partner, accountNo, from, currency });
    },
    arrive: async ({ cell: to, currency, version }) => {
      const shipper = stream(from, to);
      shipper?.poke(currency);
      await shipper?.waitForMirror({ currency, version }, mirrorMs);
    },
  };
}
