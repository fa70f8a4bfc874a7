/** Report of an event, and of what became of its notifications. */
import { styleText } from "node:util";
import { nounOf, type OperationRow, operations } from "@titian/contract";
import { secondsBetween, roughly } from "../listen/outcome.ts";
import { labelOf } from "../listen/read-notification.ts";
import type { NotificationView } from "@titian/sandbox/types";
import { plain } from "../tables/plain.ts";
import type { EventOrder, SentEvent } from "./send-event.ts";

export interface EventReport {
  readonly partnerId: string;
  readonly order: EventOrder;
  readonly sent: SentEvent;
  /** In the order of their results. */
  readonly notifications: readonly NotificationView[];
}

const line = (name: string, text: string) => `${name.padEnd(20)}${text}`;

export function formatSent(partnerId: string, order: EventOrder, sent: SentEvent): string {
  const { event, sourceAccountNo, amount, beneficiaries } = order;
  const row: OperationRow = operations[event.operation];
  const items = sent.items ?? [];
  return [
    styleText("bold", `${event.name}: ${labelOf(row)} transfer (${row.code}) of ${partnerId}`),
    line("from", sourceAccountNo),
    ...beneficiaries.map(({ bankCode, accountNo, outcome }, index) =>
      [line("to", `${accountNo} at bank ${bankCode}, ${amount} IDR (${outcome})`), items[index]]
        .filter(Boolean)
        .join("  "),
    ),
    line(row.about.number ?? "", sent.referenceNo),
    line(row.about.partnerNumber ?? "", sent.partnerReferenceNo),
    line("X-EXTERNAL-ID", sent.externalId),
  ].join("\n");
}

const meanings: Readonly<Record<string, string>> = { "00": "settled", "04": "returned", "06": "rejected" };

export function formatNotifications(notifications: readonly NotificationView[]): string {
  return notifications
    .map((notification) => {
      const { serviceCode, status } = notification;
      const what = nounOf(serviceCode) === "bulk" ? "" : ` ${status} ${meanings[status] ?? ""}`;
      return line("notification", `${serviceCode}${what}: ${formatState(notification)}`);
    })
    .join("\n");
}

function formatState({ state, attempts, nextAttemptAt }: NotificationView): string {
  const [last] = attempts;
  switch (state) {
    case "delivered":
      return styleText(
        "green",
        `delivered to ${originOf(last?.url)} (${last?.responseCode ?? ""}, ${last?.durationMs} ms)`,
      );
    case "kept":
      return styleText("yellow", "kept: the partner has no notification address");
    case "dead":
      return styleText("red", `given up after its last attempt: ${plain(last?.failure)}`);
    default:
      return last === undefined
        ? styleText("yellow", "not sent yet: it waits for the one before it")
        : styleText("red", formatFailure(last, nextAttemptAt));
  }
}

const replyMax = 100;

/** With the reply where it is no envelope: it may say what is wrong. */
function formatFailure(attempt: NotificationView["attempts"][number], nextAttemptAt: string | null): string {
  const { failure, reply, responseCode, url, at, attempt: number } = attempt;
  const seconds = secondsBetween(at, nextAttemptAt);
  const text = responseCode === undefined ? plain(reply).slice(0, replyMax) : "";
  return [
    `attempt ${number} at ${originOf(url)} failed${seconds === undefined ? "" : `; repeated in ${roughly(seconds)}`}`,
    ...[plain(failure), text].filter((one) => one !== "").map((one) => `${" ".repeat(20)}${one}`),
  ].join("\n");
}

/** The whole of it is long; `titian notification show` has it. */
function originOf(url = ""): string {
  return URL.canParse(url) ? new URL(url).origin : plain(url);
}

/** For `--json`. */
export function eventJson({ partnerId, order, sent, notifications }: EventReport): object {
  const { event, sourceAccountNo, amount, beneficiaries } = order;
  return { event: event.name, partnerId, ...sent, sourceAccountNo, amount, beneficiaries, notifications };
}
