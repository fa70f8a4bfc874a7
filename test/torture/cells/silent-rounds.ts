/** Callers of home, one call in ten to an account of a further cell, which is away for a time: home goes on, and nothing is lost or taken twice. */
import { homeCell } from "../../../packages/server/src/basics/ids.ts";
import { add, openIn, ranges, writeCells } from "../../cells/cell-fixture.ts";
import { eventually } from "../../support/black-box/answers.ts";
import type { Caller } from "../../support/black-box/caller.ts";
import { openingBalance } from "../../support/black-box/production-partner.ts";
import { startProduction } from "../../support/black-box/start-production.ts";
import { startLoad } from "../../support/load.ts";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import { cellNumber, findBookingFaults, findLedgerFaults, readBooks, untilLevel } from "./outage-books.ts";
import { type Payment, drawPayment, isAccepted, pay } from "./outage-calls.ts";
import { createOutage, type OutageOptions } from "./outage.ts";
import { type CallOfHome, describeCalls, findAnswerFaults, type KindOfHome } from "./silent-calls.ts";

const accountsOfCell = Array.from({ length: 8 }, (_, index) => `51000000000${index + 1}`);
/** Share of the calls whose payee is in the cell. */
const acrossShare = 0.1;

export async function silentRounds(options: OutageOptions): Promise<TortureResult> {
  const { home, cell, seconds } = options;
  await using outage = await createOutage(cell.url, options);
  const { phaseNow } = outage;
  const added = await add(home.url, cell.url);
  if (!added.ok) throw new Error(added.rejection.message);
  using file = writeCells(`${cellNumber} ${outage.url} ${ranges}`);
  await using production = await startProduction({ TITIAN_CELLS: file.file }, home.url, {
    cells: [homeCell, cellNumber],
  });
  for (const accountNo of accountsOfCell)
    await openIn(cell.url, { accountNo, cell: cellNumber, partners: [], balance: openingBalance });
  const { caller } = production;
  const draw = drawPayments(caller, randomNumbers(options.seed));
  // The node serves the cell, and is warm.
  await eventually(async () => isAccepted(await pay(caller, draw("across"), phaseNow)));
  const before = await readBooks(options);

  const calls: CallOfHome[] = [];
  const load = startLoad(options.callers, async () => {
    calls.push(await pay(caller, draw(), phaseNow));
  });
  let isBackAt = 0;
  let arriving: Promise<number> | undefined;
  await outage.pass((at) => {
    isBackAt = at;
    arriving = untilLevel(options).then(() => performance.now() - at);
  });
  await load.stop();
  const arrivedMs = (await arriving) ?? 0;
  await untilLevel(options);
  const faults = [
    ...findAnswerFaults(calls),
    ...findBookingFaults(before, await readBooks(options), calls.filter(isAccepted)),
    ...(await findLedgerFaults(options)),
  ];
  return { faults: faults.slice(0, 50), summary: describeCalls(calls, { isBackAt, arrivedMs, seconds }) };
}

/** Payments between the caller's accounts, and to the cell. */
function drawPayments(caller: Caller, random: () => number): (kind?: KindOfHome) => Payment<KindOfHome> {
  const own = caller.partner.sourceAccounts;
  return (kind = random() < acrossShare ? "across" : "within") =>
    drawPayment(kind, own, kind === "across" ? accountsOfCell : own, random);
}
