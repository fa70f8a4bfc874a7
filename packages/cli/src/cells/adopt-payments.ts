/** `titian cells adopt`: payments to other cells that a restored cell has lost. */
import {
  adoptLostPayments,
  allCells,
  type Core,
  listLostPayments,
  type LostPayment,
  startCellCore,
  withCellPool,
} from "@titian/server/admin";
import { writeAmount } from "@titian/control";
import { usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { valueOf, withCore } from "../with-core.ts";

type MirroringCell = Parameters<typeof listLostPayments>[1];

interface Flags {
  readonly reason?: string;
  readonly json?: true;
}

export function adopt(given: string, { reason, json }: Flags): Promise<void> {
  return withCore(async (home) => {
    const { cells } = home.config;
    if (given !== "0" && cells.every(({ number }) => String(number) !== given))
      throw usageError(`The file of TITIAN_ADMIN_CELLS or TITIAN_CELLS has no line for cell ${given}.`);
    const address = cells.find(({ number }) => String(number) === given);
    await using cell = address && (await startCellCore(home, address));
    const core = cell ?? home;
    for (const other of allCells(home.homeUrl, cells).filter(({ number }) => number !== core.cell)) {
      await withCellPool(other, (pool) => {
        const mirroring = { cell: other.number, pool };
        return reason === undefined ? show(core, mirroring, json === true) : writeBack(core, mirroring, reason);
      });
    }
  });
}

function restoredOf({ cell, actEngine, adminPool: database, clock }: Core) {
  return { cell, actEngine, database, clock };
}

/** Payments of one table. */
const rowsMax = 1_000;

async function show(core: Core, other: MirroringCell, asJson: boolean): Promise<void> {
  let page: LostPayment[] = [];
  let count = 0;
  for await (const payment of listLostPayments(restoredOf(core), other)) {
    count += 1;
    if (asJson) print(formatJson(viewOf(payment)));
    else page.push(payment);
    if (page.length === rowsMax) {
      print(tableOf(page));
      page = [];
    }
  }
  if (page.length > 0) print(tableOf(page));
  note(
    count === 0
      ? `Cell ${other.cell} has no payment that cell ${core.cell} has lost.`
      : `${count} that cell ${other.cell} has and cell ${core.cell} has lost. With --reason they are written back.`,
  );
}

const owners = { payment: "payer", sweep: "merchant", relocation: "moved account" };

function viewOf({ to, version, amount, currency, at, creditedNo, of }: LostPayment) {
  return {
    cell: to,
    payment: version,
    amount: writeAmount(amount, currency),
    currency,
    arrived: new Date(at).toISOString(),
    credited: creditedNo ?? null,
    of: owners[of],
  };
}

function tableOf(payments: readonly LostPayment[]): string {
  const columns = {
    cell: "to cell",
    payment: "payment",
    amount: "amount",
    arrived: "arrived",
    credited: "credited",
    of: "money of",
  };
  const rows = payments.map(viewOf).map((row) => ({
    cell: String(row.cell),
    payment: String(row.payment),
    amount: `${row.amount} ${row.currency}`,
    arrived: row.arrived,
    credited: row.credited ?? "unknown",
    of: row.of,
  }));
  return formatTable(columns, rows);
}

async function writeBack(core: Core, other: MirroringCell, reason: string): Promise<void> {
  const { count } = valueOf(await adoptLostPayments(restoredOf(core), other, reason));
  if (count > 0) print(`${count} payments to cell ${other.cell} are written back; restored funds paid them.`);
  else note(`Cell ${other.cell} has no payment that cell ${core.cell} has lost.`);
}
