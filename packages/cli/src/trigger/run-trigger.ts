/** Action of `titian trigger`. */
import { isCallError } from "@titian/client";
import { createClock } from "@titian/server/admin";
import { createPartnerClient } from "../call/partner-client.ts";
import { reportFailure } from "../call/report-failure.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import type { NotificationView } from "@titian/sandbox/types";
import type { CallRow } from "../control/call-row.ts";
import { callsOf } from "../control/http.ts";
import { choosePartner, readSandboxFile, requireSandbox, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import { readAmount, showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";
import { events, findEvent, isBulk, type TriggerEvent } from "./events.ts";
import { type FollowDeps, followNotifications, haveEnded, isFailing } from "./follow-notifications.ts";
import { openRail } from "./prepare-rail.ts";
import { type EventReport, eventJson, formatNotifications, formatSent } from "./report-event.ts";
import { type EventOrder, findBeneficiaries, findSource, sendEvent } from "./send-event.ts";

export interface TriggerFlags {
  readonly partner?: string;
  readonly amount?: string;
  readonly keepClock?: true;
  readonly sandboxFile?: string;
  readonly json?: true;
}

/** Time after which a step is remarked on. */
const remarkMs = 1_000;

export function listEvents({ json }: Pick<TriggerFlags, "json">): void {
  if (json === true) return print(formatJson(events.map(({ name, description }) => ({ name, description }))));
  print(formatTable({ name: "event", description: "what happens, and the notification of it" }, events));
}

export async function trigger(name: string, flags: TriggerFlags): Promise<ExitCode> {
  const event = findEvent(name);
  requireSandbox("titian trigger", flags.sandboxFile);
  const amount =
    flags.amount === undefined ? event.amount : showAmount(readAmount("--amount", flags.amount, "IDR"), "IDR");
  const sandboxFile = sandboxFilePath(flags.sandboxFile);
  const sandbox = readSandboxFile(sandboxFile);
  const partner = choosePartner(sandbox, flags.partner);
  const [sourceAccountNo, beneficiaries] = [findSource(sandbox, partner), findBeneficiaries(sandbox, event)];
  const call = callsOf(() => readSandboxFile(sandboxFile));
  const clock = createClock();
  const { partnerId } = partner;

  const clockMovedTo = await openRail(call, event.rail, flags.keepClock === true);
  const order: EventOrder = {
    event,
    amount,
    sourceAccountNo,
    beneficiaries,
    transactionDate: (await call("GET /clock")).now,
  };
  const client = createPartnerClient({ sandbox, partner, clock, fetch: globalThis.fetch });
  const sent = await sendEvent(client, order).catch((error: unknown) => {
    if (isCallError(error)) return error;
    throw error;
  });
  if (isCallError(sent)) {
    return reportFailure(sent, { baseUrl: sandbox.baseUrl, partner, showSecrets: false, sent: undefined });
  }
  if (flags.json !== true) print(formatSent(partnerId, order, sent));
  const waiting = setTimeout(() => note("Waiting for the result and its notification …"), remarkMs);
  const notifications = await complete({ call, clock }, event, sent.referenceNo).finally(() => clearTimeout(waiting));
  const report: EventReport = { partnerId, order, sent, notifications };
  if (flags.json === true) print(formatJson({ ...eventJson(report), clockMovedTo: clockMovedTo ?? null }));
  else showEnd(report);
  return exitCodeOf(event, notifications);
}

/** Ends what was sent, and waits for its notifications. */
async function complete(deps: FollowDeps, event: TriggerEvent, number: string): Promise<readonly NotificationView[]> {
  const { call } = deps;
  await settle(call, event);
  const isReturned = event.statuses.includes("04");
  if (isReturned) {
    const first = await followNotifications(deps, number, (found) => found.length > 0);
    if (first.length === 0) return first;
    await call("POST /transfers/{referenceNo}/return", { params: { referenceNo: number } });
  }
  return followNotifications(deps, number, (found) => haveEnded(found, countOf(event)));
}

async function settle(call: CallRow, { rail }: TriggerEvent): Promise<void> {
  const { settled } = await call("POST /rails/{rail}/settle", { params: { rail } });
  const others = settled - 1;
  // On the others, what was sent has mostly ended by itself: the count says nothing of it.
  if (rail === "skn" && others > 0) note(`Settled with it: ${others} more that waited on the rail skn.`);
}

/** A bulk has one notification, whatever became of its items. */
function countOf({ statuses }: TriggerEvent): number {
  return Math.max(1, statuses.length);
}

function showEnd({ partnerId, order, sent, notifications }: EventReport): void {
  const { event } = order;
  const { referenceNo } = sent;
  if (notifications.length > 0) print(formatNotifications(notifications));
  if (notifications.length < countOf(event)) {
    const command = isBulk(event.operation) ? "bulk" : "transfer";
    note(
      `\nIt has not ended yet, and there is no further notification. How it stands:\n  titian ${command} show ${referenceNo}`,
    );
  } else if (notifications.some(({ state }) => state === "kept")) {
    const forWhom = `--partner ${partnerId}`;
    note(`\nTo receive it, start the first of these, and send it again with the second:`);
    note(`  titian listen ${forWhom}\n  titian notification replay --reference ${referenceNo} --yes`);
  } else note(`\nNext: titian notification show ${referenceNo}`);
}

function exitCodeOf(event: TriggerEvent, notifications: readonly NotificationView[]): ExitCode {
  const isComplete = notifications.length >= countOf(event);
  const isDone = isComplete && notifications.every((one) => one.state !== "waiting" && !isFailing(one));
  return isDone ? exitCodes.done : exitCodes.failed;
}
