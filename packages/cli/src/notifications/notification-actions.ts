/** Actions of `titian notification list` and `show`. */
import type { NotificationView } from "@titian/sandbox/types";
import { CliError } from "../cli-error.ts";
import { withCalls } from "../control/with-calls.ts";
import { readNumber } from "../options/number.ts";
import { notificationPageMax, pageSizeOf } from "../options/page-size.ts";
import { note, print } from "../output.ts";
import { formatList } from "../tables/totals.ts";
import { formatNotification, formatNotifications, formatReceiverTest } from "./notification-tables.ts";

export interface ListFlags {
  readonly partner?: string;
  readonly reference?: string;
  readonly state?: NotificationView["state"];
  readonly limit: string;
  readonly after?: string;
  readonly json?: true;
}

/** Completes "is not …" of a number that names a transfer, a bulk or a notification. */
export const numberOfOurs = "a number that Titian assigned: 26 digits and letters";

export async function list({ partner, reference, state, limit, after, json }: ListFlags): Promise<void> {
  const query = {
    partnerId: partner,
    referenceNo: readNumber("--reference", reference, numberOfOurs),
    state,
    cursor: readNumber("--after", after, numberOfOurs),
    limit: pageSizeOf(limit, "--limit", notificationPageMax),
  };
  const answer = await withCalls(async (call) => {
    // It answers 404 where there is no such partner; the list is empty then.
    if (partner !== undefined)
      await call("GET /partners/{partnerId}/notification-address", { params: { partnerId: partner } });
    return call("GET /notifications", { query });
  });
  if (json) return print(formatList(answer, answer.notifications));
  print(formatNotifications(answer.notifications));
  if (answer.next === null) return;
  const options = Object.entries({ partner, reference, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [` --${name} ${value}`],
  );
  note(`\nMore: titian notification list${options.join("")} --after ${answer.next}`);
}

export async function show(number: string): Promise<void> {
  const query = { referenceNo: number };
  const { notifications, test } = await withCalls(async (call) => {
    const answer = await call("GET /notifications", { query });
    const failed = answer.notifications.find(({ attempts: [last] }) => last?.failure !== undefined);
    if (failed === undefined) return { ...answer, test: null };
    const { partnerId } = failed;
    return { ...answer, ...(await call("GET /partners/{partnerId}/receiver-test", { params: { partnerId } })) };
  });
  if (notifications.length === 0) {
    throw new CliError(
      `There is no notification of ${number}. Give the referenceNo of an RTGS or SKNBI transfer (22, 23), or the bulkId of a bulk (20), that has its result: titian transfer show, titian bulk show.`,
    );
  }
  // In the order of the results.
  const shown = notifications.toReversed().map(formatNotification);
  print([...shown, ...(test === null ? [] : [formatReceiverTest(test)])].join("\n\n"));
}
