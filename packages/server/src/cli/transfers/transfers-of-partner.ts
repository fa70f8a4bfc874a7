/** Finds transfers by their partner's `partnerReferenceNo` or `X-EXTERNAL-ID`. */
import { formatTimestamp } from "@titian/contract";
import type { Core } from "../../compose/core.ts";
import { externalIdKey, partnerReferenceKey } from "../../engine/batch/idempotency-keys.ts";
import { toReferenceNo } from "../../ids.ts";
import { rejectionOf } from "../../operations/rejection-cases.ts";
import type { RejectionRow } from "../../store/tables/rejected-requests.ts";
import { findAcceptedWrite, findNewestRejection, type WantedWrite } from "../../store/reads/accepted-requests.ts";
import type { WriteRow } from "../../store/tables/accepted-requests.ts";
import { CliError } from "../cli-error.ts";

/** Intrabank, interbank, RTGS and SKN transfer. */
const services = ["17", "18", "22", "23"] as const;

export type TransferOfPartner =
  | { readonly kind: "accepted"; readonly write: WriteRow }
  /** Nothing was accepted; the newest rejection of each service. */
  | { readonly kind: "rejected"; readonly rejections: readonly RejectionRow[] };

/** @throws CliError when the partner or number is unknown, or the number has more than one transfer. */
export async function findTransferOfPartner(
  { pool, reference }: Core,
  partnerId: string,
  number: string,
): Promise<TransferOfPartner> {
  const partner = reference.byPartnerId(partnerId)?.key;
  if (partner === undefined) throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
  const keys = services.flatMap((service): readonly WantedWrite[] => {
    const one = {
      partner,
      service: Number(service),
      id: undefined,
      externalIdKey: undefined,
      partnerReferenceKey: undefined,
    };
    return [
      { ...one, partnerReferenceKey: partnerReferenceKey(partner, service, number) },
      { ...one, externalIdKey: externalIdKey(partner, number) },
    ];
  });
  const writes = byId(await Promise.all(keys.map((one) => findAcceptedWrite(pool, one))));
  const [write] = writes;
  if (writes.length > 1) throw new CliError(describeSeveral(partnerId, number, writes));
  if (write) return { kind: "accepted", write };
  const rejections = byId(await Promise.all(keys.map((one) => findNewestRejection(pool, one))));
  if (rejections.length > 0) return { kind: "rejected", rejections };
  throw new CliError(
    `No transfer of ${partnerId} has the partnerReferenceNo or the X-EXTERNAL-ID ${number}: it was never received, or rejected before processing (a signature, a token, an invalid field).`,
  );
}

/** Without duplicates, oldest first. */
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
  return `${partnerId} has several transfers with the number ${number}. Show one by its referenceNo:\n${list.join("\n")}`;
}

export function formatRejections(number: string, rejections: readonly RejectionRow[]): string {
  const lines = rejections.map(({ service, kind, field, at }) => {
    const { responseMessage } = rejectionOf({ kind, field }, String(service));
    return `  service ${service}, ${formatTimestamp(at)}: ${kind} (${responseMessage})`;
  });
  return [`${number} was rejected; no money moved. A new request with the same number may succeed.`, ...lines].join(
    "\n",
  );
}
