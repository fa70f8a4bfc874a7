/** The fifth and sixth step: a partner is suspended, a rail is closed, at once and on both nodes; both come back by four eyes. */
import assert from "node:assert/strict";
import type { Client } from "@titian/client";
import { accounts, credentialsOf, type Day, timeUntil } from "./day.ts";
import { interbankTo } from "./bodies.ts";
import { actIdIn, done } from "./people.ts";
import { otherBank } from "./rail-side.ts";
import { clientAt, codeOf, partnerId } from "./shop.ts";

const why = ["--reason", "calls from a stranger's network"] as const;
/** Its calls are rejected because it gets no token (73). */
export const rejectedToken = "4017300";
/** Within it every node follows. */
const followMs = 2_000;
const rail = "rail:interbank";

export const clientsOf = (day: Day): readonly Client[] =>
  day.nodes.baseUrls.map((url) => clientAt(url, credentialsOf(day)));

const inquire = (client: Client) => codeOf(client.internalAccountInquiry({ beneficiaryAccountNo: accounts.other }));

let transfers = 0;
function pay(client: Client): Promise<string> {
  transfers += 1;
  return codeOf(client.interbankTransfer(interbankTo(otherBank.accountNo, `C-${transfers}`, "1000.00")));
}

/** Milliseconds until both nodes answer so. */
export async function untilAll(day: Day, ask: (client: Client) => Promise<string>, code: string): Promise<number> {
  const each = clientsOf(day).map((client) => timeUntil(followMs, async () => (await ask(client)) === code));
  return Math.max(...(await Promise.all(each)));
}

export async function suspendAndResume(day: Day): Promise<string> {
  const { people, staff } = day;
  const { operator, approver } = staff;
  const suspended = await people.titian(operator, "partner", "suspend", partnerId, ...why);
  const stopped = await untilAll(day, inquire, rejectedToken);
  assert.match(done(suspended), /is suspended/);
  await people.approve(approver, actIdIn(suspended.stderr));
  const resumption = await people.propose(operator, "partner", "resume", partnerId, ...why);
  await untilAll(day, inquire, rejectedToken);
  await people.approve(approver, resumption.actId);
  const resumed = await untilAll(day, inquire, "2001500");
  return `4017300 on both nodes ${stopped} ms after the command, calls again ${resumed} ms after the resumption was carried out`;
}

export async function closeAndReopen(day: Day): Promise<string> {
  const { people, staff } = day;
  const { operator, approver, viewer } = staff;
  const closed = await people.titian(operator, "switch", "close", rail, ...why);
  const stopped = await untilAll(day, pay, "4031806");
  done(closed);
  await people.approve(approver, actIdIn(closed.stderr));
  assert.match(done(await people.titian(viewer, "switch", "list")), /rail:interbank +closed/);
  await people.byFourEyes(operator, approver, "switch", "reopen", rail, ...why);
  const open = await untilAll(day, pay, "2001800");
  return `4031806 on both nodes ${stopped} ms after the command, 2001800 again ${open} ms after the reopening was carried out`;
}
