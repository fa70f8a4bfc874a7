/** Callers of a partner that has a further cell alone, while home is away for a time: they go on, and nothing of others is lost or taken. */
import { setTimeout as sleep } from "node:timers/promises";
import { homeCell } from "../../../packages/server/src/basics/ids.ts";
import { add, openIn, ranges, writeCells } from "../../cells/cell-fixture.ts";
import { eventually } from "../../support/black-box/answers.ts";
import { type Caller, createCaller } from "../../support/black-box/caller.ts";
import { addPartner, openingBalance } from "../../support/black-box/production-partner.ts";
import type { SandboxPartner } from "../../support/black-box/sandbox-file.ts";
import { type Production, startProduction } from "../../support/black-box/start-production.ts";
import { queryRows } from "../../support/database/with-client.ts";
import { type Load, startLoad } from "../../support/load.ts";
import { randomNumbers } from "../random-numbers.ts";
import type { TortureResult } from "../result.ts";
import { cellNumber, findBookingFaults, findLedgerFaults, readBooks, untilLevel } from "./outage-books.ts";
import {
  describe,
  drawPayment,
  isAccepted,
  type Payment,
  pay,
  type Phase,
  timed,
  type TimedCall,
} from "./outage-calls.ts";
import { createOutage, type OutageOptions } from "./outage.ts";
import {
  type Call,
  describeCalls,
  findAnswerFaults,
  isRepeat,
  isUnknown,
  type Kind,
  kindsOfHome,
} from "./silent-home-calls.ts";

const accountsOfCell = Array.from({ length: 8 }, (_, index) => `51000000000${index + 1}`);
/**
 * Callers beside: few, with a pause, since what is refused at once would take the machine, but more than two, which may both wait for home
 * through a short outage; many of home, whose calls wait for it for 10 s.
 */
const [few, many] = [
  { count: 4, pauseMs: 50 },
  { count: 64, pauseMs: 1_000 },
];
const beside = { across: few, several: few, home: many } as const;
/** Calls of each kind that were refused and are sent again at the end. */
const sentAgainMax = 50;

export async function silentHomeRounds(options: OutageOptions): Promise<TortureResult> {
  const { home, cell, seconds } = options;
  await using outage = await createOutage(home.url, options);
  const { phaseNow } = outage;
  const added = await add(home.url, cell.url);
  if (!added.ok) throw new Error(added.rejection.message);
  using file = writeCells(`${cellNumber} ${cell.url} ${ranges}`);
  // Before the node starts: it knows them from its first call on.
  const partners = [await addPartner(home.url, { cells: [cellNumber] }), await addPartner(home.url)] as const;
  await using production = await startProduction({ TITIAN_CELLS: file.file }, outage.url, {
    cells: [homeCell, cellNumber],
  });
  const payers = await preparePayers(options, production, partners);
  const payOnce = (kind: Kind) => pay(payers.callers[kind], payers.draw(kind), phaseNow);
  // The node serves both cells, and is warm.
  for (const kind of ["within", ...kindsOfHome] as const) await eventually(async () => isAccepted(await payOnce(kind)));
  const before = await readBooks(options);

  const calls: Call[] = [];
  const tokens: TimedCall[] = [];
  const random = randomNumbers(options.seed + 1);
  const start = (kind: Kind, { count, pauseMs }: typeof few) =>
    startLoad(count, async () => {
      // Not all at once.
      if (pauseMs > 0) await sleep(random() * 2 * pauseMs);
      calls.push(await payOnce(kind));
    });
  const loads: readonly Load[] = [
    start("within", { count: options.callers, pauseMs: 0 }),
    ...kindsOfHome.map((kind) => start(kind, beside[kind])),
    startLoad(few.count, async () => void tokens.push(await askToken(payers.callers.within, phaseNow)), few),
  ];
  let isBackAt = 0;
  await outage.pass((at) => void (isBackAt = at));
  const isServed = (kind: Kind) =>
    calls.some((call) => call.kind === kind && call.began === "back" && isAccepted(call));
  await eventually(() => kindsOfHome.every(isServed));
  for (const load of loads) await load.stop();

  const recorded = new Set((await readBooks(options)).accepted);
  const taken = calls.filter((call) => !isAccepted(call) && !isUnknown(call) && recorded.has(call.externalId));
  const again: Call[] = [];
  for (const call of chooseToSendAgain(calls))
    again.push(await pay(payers.callers[call.kind], call, phaseNow, call.externalId));
  await untilLevel(options);
  const unknown = calls.filter(isUnknown);
  const faults = [
    ...findAnswerFaults(calls, tokens, { across: few.count, several: few.count, home: many.count }),
    ...taken.map((call) => `${describe(call)}, and it is recorded`),
    ...again
      .filter((call) => !(recorded.has(call.externalId) ? isRepeat : isAccepted)(call))
      .map((call) => `sent again: ${describe(call)}`),
    ...findBookingFaults(before, await readBooks(options), [...calls.filter(isAccepted), ...again]),
    ...(await findLedgerFaults(options)),
  ];
  const summary = `${describeCalls(calls, tokens, { isBackAt, seconds })}; ${unknown.length} under way when it went, answered 500; ${again.length} sent again, each taken once`;
  return { faults: faults.slice(0, 50), summary };
}

interface Payers {
  readonly callers: Readonly<Record<Kind, Caller>>;
  draw(kind: Kind): Payment<Kind>;
}

async function preparePayers(
  { home, cell, seed }: OutageOptions,
  { caller: several, served, agent }: Production,
  others: readonly [ofCell: SandboxPartner, ofHome: SandboxPartner],
): Promise<Payers> {
  const callerOf = (partner: SandboxPartner) =>
    createCaller({ ...served, partners: [partner] }, partner.partnerId, agent);
  const [ofCell, ofHome] = [callerOf(others[0]), callerOf(others[1])];
  const partners = (await queryRows(home.ownerUrl, "select id from partners")) as readonly { readonly id: string }[];
  for (const accountNo of accountsOfCell) {
    const account = { accountNo, cell: cellNumber, partners: partners.map(({ id }) => id), balance: openingBalance };
    await openIn(cell.url, account);
  }
  const inHome = several.partner.sourceAccounts;
  const inBoth = [...inHome, ...accountsOfCell];
  const accounts: Readonly<Record<Kind, readonly [payers: readonly string[], payees: readonly string[]]>> = {
    within: [accountsOfCell, accountsOfCell],
    across: [accountsOfCell, inHome],
    several: [inBoth, inBoth],
    home: [ofHome.partner.sourceAccounts, inHome],
  };
  const random = randomNumbers(seed);
  return {
    callers: { within: ofCell, across: ofCell, several, home: ofHome },
    draw: (kind) => drawPayment(kind, ...accounts[kind], random),
  };
}

const askToken = (caller: Caller, phaseNow: () => Phase) =>
  timed(() => caller.askToken("access-token/b2b", { grantType: "client_credentials" }), phaseNow);

/** As their partners do: all whose outcome is unknown, and some that were refused, of each kind. */
function chooseToSendAgain(calls: readonly Call[]): readonly Call[] {
  const refused = calls.filter((call) => !isAccepted(call) && !isUnknown(call));
  const some = kindsOfHome.flatMap((wanted) => refused.filter(({ kind }) => kind === wanted).slice(0, sentAgainMax));
  return [...calls.filter(isUnknown), ...some];
}
