/** What `titian notification list` and `show` run. */
import { type Core, findNotifications, fromReferenceNo, type SentNotification } from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { notificationPageMax, pageSizeOf } from "../options/page-size.ts";
import { withCore } from "../with-core.ts";
import { formatNotification, formatNotifications, toPlainNotification } from "./notification-tables.ts";

export interface ListFlags {
  readonly partner?: string;
  readonly reference?: string;
  readonly state?: SentNotification["state"];
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

export async function list({ partner, reference, state, limit, after, json }: ListFlags): Promise<void> {
  const filter = {
    partnerId: partner,
    referenceNo: reference === undefined ? undefined : readNumber("--reference", reference),
    state,
    cursor: after === undefined ? undefined : readNumber("--after", after),
    limit: pageSizeOf(limit, "--limit", notificationPageMax),
  };
  const { notifications, next } = await withCore((core) => {
    checkPartner(core, partner);
    return findNotifications(depsOf(core), filter);
  });
  if (json) return print(formatJson({ notifications: notifications.map(toPlainNotification), next }));
  print(formatNotifications(notifications));
  if (next === null) return;
  const options = Object.entries({ partner, reference, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${value}`],
  );
  note(`\nMore: titian notification list${options.join("")} --after ${next}`);
}

export async function show(number: string): Promise<void> {
  const { notifications } = await withCore((core) => findNotifications(depsOf(core), { referenceNo: number }));
  if (notifications.length === 0) {
    throw new CliError(
      `There is no notification of ${number}. Give the referenceNo of an RTGS or SKNBI transfer (22, 23), or the bulkId of a bulk (20), that has its result: titian transfer show, titian bulk show.`,
    );
  }
  // In the order of the results.
  print(notifications.toReversed().map(formatNotification).join("\n\n"));
}

export function depsOf({ reference, pool, adminPool, clock }: Core) {
  return {
    reads: pool,
    database: adminPool,
    clock,
    byPartnerId: (partnerId: string) => reference.byPartnerId(partnerId),
  };
}

/** @throws CliError when there is no such partner. */
export function checkPartner({ reference }: Core, partnerId: string | undefined): void {
  if (partnerId === undefined || reference.byPartnerId(partnerId) !== undefined) return;
  throw new CliError(`There is no partner ${partnerId}: titian partner list.`);
}

/** @throws CliError when it cannot be a number of ours. */
export function readNumber(option: string, text: string): string {
  if (fromReferenceNo(text) !== undefined) return text;
  throw usageError(`${option} ${text} is not a number that Titian assigned: 26 digits and letters.`);
}
