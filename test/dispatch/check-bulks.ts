/** Agreement of a bulk, its items, its notification and its callers on what became of it. */
import type { Reply } from "../../packages/server/src/interfaces/call.ts";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { BulkRow, TransferRow } from "./dispatch-fixture.ts";

/** Status of the first call, as a repeat says it. */
export function latestStatusOf(reply: Reply): string | undefined {
  const info = reply.fields?.["additionalInfo"] as Readonly<Record<string, string>> | undefined;
  return info?.["latestTransactionStatus"];
}

/** Once everything has ended: a return does not change it (spec D13). */
export function statusOfBulk({ settledCount }: BulkRow): string {
  return settledCount > 0 ? "00" : "06";
}

export function findFaultsOfBulk(bulk: BulkRow, items: readonly TransferRow[]): readonly string[] {
  const { itemCount, settledCount, rejectedCount, returnedCount, isEnded, notified } = bulk;
  const count = (...states: readonly string[]) => items.filter(({ state }) => states.includes(state)).length;
  const expected = {
    itemCount: items.length,
    settledCount: count("settled", "returned"),
    rejectedCount: count("rejected"),
    returnedCount: count("returned"),
    isEnded: true,
  };
  const counted = { itemCount, settledCount, rejectedCount, returnedCount, isEnded };
  const faults = JSON.stringify(counted) === JSON.stringify(expected) ? [] : [`it counts ${JSON.stringify(counted)}`];
  const result = `21 ${statusOfBulk(bulk)}`;
  const isNotified = notified.length === 1 && notified[0] === result;
  const all = isNotified ? faults : [...faults, `notified ${notified.join(", ")} for ${result}`];
  return all.map((fault) => `bulk ${toReferenceNo(bulk.id)}: ${fault}`);
}

/** Finds answers to a caller that do not hold for ever. */
export function findLiesOfBulk(reply: Reply, index: number, bulks: readonly BulkRow[]): readonly string[] {
  const was = `reply ${index + 1} was ${reply.case}`;
  const [bulk] = bulks;
  switch (reply.case) {
    case "success":
      return bulk && toReferenceNo(bulk.id) === reply.fields?.["bulkId"] ? [] : [`${was}, and there is no such bulk`];
    case "conflict": {
      const status = latestStatusOf(reply) ?? "nothing";
      const isTrue = bulk && (status === "03" || status === statusOfBulk(bulk));
      return isTrue ? [] : [`${was} with ${status}`];
    }
    case "generalError":
    case "serviceUnavailable":
      return [];
    default:
      return [`${was}, and nothing was to be rejected`];
  }
}
