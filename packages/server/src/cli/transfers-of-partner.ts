/** Transfers by what their partner calls them: its `partnerReferenceNo`, or the `X-EXTERNAL-ID` of its call. */
import { formatTimestamp } from "@titian/contract";
import type { Core } from "../compose/core.ts";
import { externalKey, numberKey } from "../engine/keys.ts";
import { toReferenceNo } from "../ids.ts";
import { rejectionOf } from "../operations/refusal-cases.ts";
import type { RefusalRow } from "../store/refusals.ts";
import { findAcceptedWrite, findNewestRefusal, type WantedWrite } from "../store/reads/writes.ts";
import type { WriteRow } from "../store/writes.ts";
import { CliError } from "./cli-error.ts";

/** Transfers within the bank and over its rails. */
const services = ["17", "18", "22", "23"] as const;

export type OfPartner =
  | { readonly kind: "accepted"; readonly write: WriteRow }
  /** Nothing was accepted, and nothing moved; the newest refusal of each service. */
  | { readonly kind: "refused"; readonly refusals: readonly RefusalRow[] };

/** @throws CliError when there is no such partner, nothing of that number, or more than one transfer. */
export async function findOfPartner({ pool, reference }: Core, partnerId: string, number: string): Promise<OfPartner> {
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
  const wanted = services.flatMap((service): readonly WantedWrite[] => {
    const one = { partner, service: Number(service), id: undefined, externalKey: undefined, numberKey: undefined };
    return [
      { ...one, numberKey: numberKey(partner, service, number) },
      { ...one, externalKey: externalKey(partner, number) },
    ];
  });
  const writes = byId(await Promise.all(wanted.map((one) => findAcceptedWrite(pool, one))));
  const [write] = writes;
  if (writes.length > 1) throw new CliError(describeSeveral(partnerId, number, writes));
  if (write) return { kind: "accepted", write };
  const refusals = byId(await Promise.all(wanted.map((one) => findNewestRefusal(pool, one))));
  if (refusals.length > 0) return { kind: "refused", refusals };
  throw new CliError(
    `No transfer of ${partnerId} has the partnerReferenceNo or the X-EXTERNAL-ID ${number}: it never arrived here, or was refused before it was decided (a signature, a token, a malformed field).`,
  );
}

/** In the order of time. */
function byId<Row extends { readonly id: string; readonly at: number }>(
  found: readonly (Row | undefined)[],
): readonly Row[] {
  const rows = new Map(found.filter((row) => row !== undefined).map((row) => [row.id, row]));
  return [...rows.values()].toSorted((a, b) => a.at - b.at);
}

function describeSeveral(partnerId: string, number: string, writes: readonly WriteRow[]): string {
  const list = writes.map(
    ({ id, service, at }) => `  ${toReferenceNo(id)}  service ${service}, accepted ${formatTimestamp(at)}`,
  );
  return `${partnerId} calls several transfers ${number}. Show one by our number:\n${list.join("\n")}`;
}

export function formatRefusals(number: string, refusals: readonly RefusalRow[]): string {
  const lines = refusals.map(({ service, kind, field, at }) => {
    const { responseMessage } = rejectionOf({ kind, field }, String(service));
    return `  service ${service}, ${formatTimestamp(at)}: ${kind} (${responseMessage})`;
  });
  return [
    `${number} was refused, and nothing moved. A new try under the same number may still succeed.`,
    ...lines,
  ].join("\n");
}
