/** Agreement of payer, rail, notifications and caller on what became of one intent. */
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { transferStates } from "../../packages/server/src/ledger/transfers/states.ts";
import { railFee } from "./nodes/dispatch-node.ts";
import type { Entry, RailJournal } from "./rail-journal.ts";
import { findFaultsOfBulk, findLiesOfBulk, latestStatusOf, statusOfBulk } from "./check-bulks.ts";
import { askedAmount, type BulkRow, openingBalance, type PayerRows, type TransferRow } from "./dispatch-fixture.ts";

export interface Intent {
  readonly payer: string;
  /** Replies to its caller, in order; undefined where the node died before it answered. */
  readonly replies: readonly (Reply | undefined)[];
}

/** Finds what does not fit, once everything has ended; empty when all is well. The payer has this intent alone. */
export function findFaultsOf({ payer, replies }: Intent, rows: PayerRows, journal: RailJournal): readonly string[] {
  const { transfers, bulks } = rows;
  const entries = transfers.map(({ id }) => journal.entries.get(toReferenceNo(id)));
  const carried = journal.entriesOf(payer).filter(({ state }) => state !== "rejected");
  const faults = [
    ...transfers.flatMap((transfer, index) => findFaultsAtRail(transfer, entries[index])),
    ...transfers.flatMap(findFaultsOfEnd),
    ...findFaultsOfMoney(rows),
    ...bulks.flatMap((bulk) => findFaultsOfBulk(bulk, transfers)),
    ...replies.flatMap((reply, index) => {
      if (!reply) return [];
      return bulks.length > 0 ? findLiesOfBulk(reply, index, bulks) : findLies(reply, index, transfers);
    }),
  ];
  const most = bulks[0]?.itemCount ?? 1;
  if (carried.length > most) faults.push(`carried ${carried.length} times`);
  if (transfers.length > most || bulks.length > 1) faults.push(`accepted ${transfers.length} times`);
  return faults.map((fault) => `${fault} [${transfers.map(describe).join("; ")}]`);
}

function describe({ id, state, rejection, isResolvedSynchronously, notified }: TransferRow): string {
  return `${toReferenceNo(id)} ${state} ${rejection ?? ""} ${isResolvedSynchronously ? "within its call" : "later"}, notified ${notified.join(", ")}`;
}

/** Never settled where the rail rejected, never given back where it carried. */
function findFaultsAtRail({ id, state, rejection }: TransferRow, entry: Entry | undefined): readonly string[] {
  const no = toReferenceNo(id);
  const ended = entry?.state ?? "nothing";
  if (state !== "rejected") return ended === state ? [] : [`${no} is ${state}, and the rail says ${ended}`];
  if (rejection === "railDown") return entry ? [`${no} was given back, and the rail has it: ${ended}`] : [];
  return ended === "rejected" ? [] : [`${no} was given back for ${rejection}, and the rail says ${ended}`];
}

const statuses: Readonly<Record<string, readonly string[]>> = {
  settled: ["00"],
  rejected: ["06"],
  returned: ["00", "04"],
};

function findFaultsOfEnd({ id, service, state, notified }: TransferRow): readonly string[] {
  const no = toReferenceNo(id);
  const notification = { 22: 76, 23: 75 }[service];
  const wanted = notification ? (statuses[state] ?? []).map((status) => `${notification} ${status}`) : [];
  if (notified.join() === wanted.join()) return [];
  return [`${no} ${state}: notified ${notified.join(", ")} for ${wanted.join(", ")}`];
}

const taken: Readonly<Record<string, bigint>> = { settled: askedAmount + railFee, rejected: 0n, returned: railFee };

function findFaultsOfMoney({ balance, used, transfers }: PayerRows): readonly string[] {
  const faults: string[] = [];
  const left = transfers.reduce((rest, { state }) => rest - (taken[state] ?? 0n), openingBalance);
  if (balance !== left) faults.push(`the payer has ${balance}, not ${left}`);
  const counted = transfers.filter(({ state, day }) => state !== "rejected" && day === used.day).length;
  const { total, count } = used;
  if (count !== counted || total !== BigInt(counted) * askedAmount)
    faults.push(`${count} transfers of ${total} count against the payer's day, not ${counted}`);
  return faults;
}

export const statusOf = (row: TransferRow | BulkRow) =>
  "state" in row ? transferStates[row.state].status : statusOfBulk(row);

/**
 * Finds replies that did not stay true: a success is one for ever, a rejection took nothing, what was taken is kept.
 */
function findLies(reply: Reply, index: number, transfers: readonly TransferRow[]): readonly string[] {
  const was = `reply ${index + 1} was ${reply.case}`;
  const [transfer] = transfers;
  switch (reply.case) {
    case "success":
    case "requestInProgress": {
      if (!transfer || toReferenceNo(transfer.id) !== reply.fields?.["referenceNo"]) {
        return [`${was}, and there is no such transfer`];
      }
      const isLie = reply.case === "success" && transfer.service === 18 && endOf(transfer) !== "settled";
      return isLie ? [`${was}, and it was not settled in its call`] : [];
    }
    case "conflict": {
      if (!transfer) return [`${was}, and nothing was accepted`];
      const status = latestStatusOf(reply) ?? "nothing";
      const mayBecome = { "00": ["00", "04"], "04": ["04"], "06": ["06"] }[status];
      const faults = mayBecome && !mayBecome.includes(statusOf(transfer)) ? [`${was} with ${status}`] : [];
      const first = firstCodeOf(reply);
      const isFirst =
        transfer.service !== 18 || first === "2021800" || (first === "2001800") === (endOf(transfer) === "settled");
      return isFirst ? faults : [...faults, `${was}, and the first answer was no ${first}`];
    }
    case "generalError":
    case "serviceUnavailable":
      return [];
    default:
      return transfer?.service === 18 && endOf(transfer) === "rejected"
        ? []
        : [`${was}, and none was rejected in its call`];
  }
}

/** End of 18 within its call, if it came. */
function endOf({ isResolvedSynchronously, state }: TransferRow): "settled" | "rejected" | undefined {
  if (!isResolvedSynchronously) return undefined;
  return state === "rejected" ? "rejected" : "settled";
}

function firstCodeOf(reply: Reply): string {
  const info = reply.fields?.["additionalInfo"] as { readonly originalResponse: Readonly<Record<string, string>> };
  return info.originalResponse["responseCode"] ?? "";
}
