/** Actions of `titian act`. */
import type { ActKind } from "@titian/server/admin";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import type { Answer } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import { pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatFields } from "../tables/fields.ts";
import { groupDigits } from "../tables/group-digits.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

type ActView = Answer<"GET /acts/{actId}">;

export interface ListFlags {
  readonly open?: true;
  readonly target?: string;
  readonly limit: string;
  readonly before?: string;
  readonly json?: true;
}

export interface ConfirmFlags {
  readonly yes?: true;
}

export interface RefuseFlags {
  readonly reason: string;
}

const columns = {
  actId: "act",
  state: "state",
  does: "does",
  proposedBy: "proposed by",
  proposedAt: "proposed",
  reason: "reason",
};

export async function list({ open, target, limit, before, json }: ListFlags): Promise<void> {
  const query = { open: open && ("true" as const), target, before, limit: pageSizeOf(limit) };
  const answer = await withCalls((call) => call("GET /acts", { query }));
  const { acts, next } = answer;
  if (json) return print(formatList(answer, acts));
  print(formatTable(columns, acts));
  const again = `titian act list${open ? " --open" : ""}${target === undefined ? "" : ` --target ${target}`}`;
  if (next !== null) note(`\nMore: ${again} --before ${next}`);
}

export async function show(actId: string): Promise<void> {
  print(formatAct(await withCalls((call) => call("GET /acts/{actId}", { params: { actId } }))));
}

export function approve(actId: string, { yes }: ConfirmFlags): Promise<ExitCode> {
  return withCalls(async (call) => {
    const params = { actId };
    const act = await call("GET /acts/{actId}", { params });
    print(formatAct(act));
    print();
    if (act.state !== "proposed") return told(act, act.state === "approved" || act.state === "done");
    if (yes !== true && !(await confirm("Approve it?"))) {
      note("Nothing was approved.");
      return exitCodes.failed;
    }
    const { state } = await call("POST /acts/{actId}/approve", { params, body: { hash: act.hash } });
    return told({ actId, state, isAtOnce: act.isAtOnce }, state === "approved" || state === "done");
  });
}

export function approveSheet(kind: ActKind, { yes }: ConfirmFlags): Promise<ExitCode> {
  return withCalls(async (call) => {
    const { count, totals, hash } = await call("GET /acts/sheet", { query: { kind } });
    if (count === 0) {
      print(`No act of the kind ${kind} waits for approval.`);
      return exitCodes.done;
    }
    const sums = totals.map(({ currency, amount }) => `${groupDigits(amount)} ${currency}`);
    print(`${count} acts of the kind ${kind}${sums.length === 0 ? "" : `, ${sums.join(", ")}`}; hash ${hash}`);
    if (yes !== true && !(await confirm("Approve all of them?"))) {
      note("Nothing was approved.");
      return exitCodes.failed;
    }
    const { approved } = await call("POST /acts/sheet/approve", { body: { kind, hash } });
    print(`Approved ${approved}: a node carries them out within seconds.`);
    return exitCodes.done;
  });
}

export function refuse(actId: string, { reason }: RefuseFlags): Promise<ExitCode> {
  return withCalls(async (call) => {
    const params = { actId };
    const { hash, isAtOnce } = await call("GET /acts/{actId}", { params });
    const { state } = await call("POST /acts/{actId}/refuse", { params, body: { hash, reason } });
    return told({ actId, state, isAtOnce }, state === "refused" || state === "rejected");
  });
}

const states: Readonly<Record<ActView["state"], string>> = {
  proposed: "It waits for approval",
  approved: "It is approved, and a node carries it out within seconds",
  refused: "It is refused: nothing was changed",
  expired: "It has expired: nothing was changed",
  done: "It was carried out",
  rejected: "It was approved, and could not be carried out any more: nothing was changed",
};

/** Meanings that differ for an act that was done with its proposal. */
const statesAtOnce: Partial<Record<ActView["state"], string>> = {
  proposed: "It is done, and stands until another operator approves or refuses it",
  refused: "It is refused: what it had changed is taken back",
};

function told({ actId, state, isAtOnce }: Pick<ActView, "actId" | "state" | "isAtOnce">, isWanted: boolean): ExitCode {
  print(`${(isAtOnce ? statesAtOnce[state] : undefined) ?? states[state]}: titian act show ${actId}`);
  return isWanted ? exitCodes.done : exitCodes.failed;
}

function formatAct(act: ActView): string {
  const { decidedBy, decidedAt, carriedOutAt } = act;
  return formatFields([
    ["act", act.actId],
    ["state", act.state],
    ["does", act.does],
    ["entries", act.entries],
    ["reason", act.reason],
    ["ticket", act.ticket],
    ["proposed", `${act.proposedAt} by ${act.proposedBy}`],
    ["expires", act.state === "proposed" ? act.expiresAt : undefined],
    ["decided", decidedBy === undefined ? undefined : `${decidedAt} by ${decidedBy}`],
    ["refused because", act.refusal],
    ["carried out", carriedOutAt],
    ["not done because", act.found],
    ["journal", act.journalNo],
  ]);
}
