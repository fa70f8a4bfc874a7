/** An exchange as lines for a person, and as a JSON object for a program. Neither has a secret or a token. */
import { styleText } from "node:util";
import { formatTimestamp } from "@titian/contract";
import { plain } from "../tables/plain.ts";
import type { Copy } from "./copies.ts";
import type { Exchange } from "./incoming.ts";
import { type Outcome, roughly } from "./outcome.ts";
import { type NotificationContent, responseCodeIn, tokenService } from "./read-notification.ts";
import type { Saved } from "./save.ts";
import type { Verification } from "./verify.ts";

export interface Report {
  readonly exchange: Exchange;
  readonly content: NotificationContent;
  readonly copy: Copy | undefined;
  readonly verification: Verification;
  readonly outcome: Outcome;
  readonly saved: Saved | undefined;
}

const indent = " ".repeat(10);
const timeOf = (ms: number) => formatTimestamp(ms).slice(11, 19);

/** Three lines for what arrived, how it verifies, and the reply; more for a copy or a failed signature. */
export function formatReport(report: Report): string {
  const { exchange, content, copy, verification } = report;
  const { serviceCode = "?", label, status, meaning, referenceNo, amount } = content;
  const parts = [serviceCode, label, status, meaning, referenceNo, amount].filter((text) => text !== undefined);
  const lines = [
    `${timeOf(exchange.incoming.receivedAt)}  ${styleText("bold", parts.join(" "))}`,
    ...(copy === undefined
      ? []
      : [styleText("yellow", `copy of ${timeOf(copy.firstAt)}, arrived ${copy.count} times`)]),
    formatVerification(verification, content.serviceCode),
    ...(verification.stringToSign === undefined ? [] : [`to sign: ${plain(verification.stringToSign)}`]),
    ...formatReply(report),
    ...formatSaved(report.saved),
  ];
  return lines.map((line, index) => (index === 0 ? line : `${indent}${line}`)).join("\n");
}

function formatVerification(verification: Verification, serviceCode: string | undefined): string {
  const { verified, mode, failures, ageSeconds = 0, sender } = verification;
  if (!verified) return red(`not verified: ${plain(failures.join("; "))}`);
  const isToken = serviceCode === tokenService;
  const key = mode === 2 || isToken ? "provider's key" : "client secret and token";
  const who = `${isToken ? "client" : "partner"} ${sender}`;
  return styleText("green", `verified: mode ${mode}, ${key}, timestamp ${ageSeconds} s old, ${who}`);
}

function formatSaved(saved: Saved | undefined): readonly string[] {
  if (saved === undefined) return [];
  const { body, headers, verify } = saved;
  return [`saved: ${body} and ${headers}${verify === undefined ? "" : "; to verify it:"}`, verify ?? []].flat();
}

/** One line; two where there is no reply. */
function formatReply({ exchange, content, outcome }: Report): readonly string[] {
  const { reply, durationMs, isAbandoned } = exchange;
  const [meaning, colour] = explainOutcome(content, outcome, reply.status);
  const took = `${Math.round(durationMs)} ms`;
  if (isAbandoned) return [`no reply within ${took}: the sender has stopped waiting`, meaning].map(red);
  if (reply.failure !== undefined) return [`no reply: ${plain(reply.failure)}`, meaning].map(red);
  const code = responseCodeIn(reply.body);
  return [styleText(colour, `replied ${reply.status}${code === undefined ? "" : ` ${code}`} in ${took}: ${meaning}`)];
}

const red = (line: string) => styleText("red", line);

/** Explains the outcome for the sender. */
function explainOutcome(
  { serviceCode, referenceNo }: NotificationContent,
  { state, attempt = 0, repeatedInSeconds = 0 }: Outcome,
  status: number,
): readonly [string, "green" | "red" | "yellow"] {
  if (serviceCode === tokenService) {
    return status === 200 ? ["token issued", "green"] : ["no token; the notification is not sent, and repeated", "red"];
  }
  switch (state) {
    case "delivered":
      return ["accepted", "green"];
    case "waiting":
      return [`not accepted (attempt ${attempt}); repeated in ${roughly(repeatedInSeconds)}`, "red"];
    case "dead":
      return [
        `not accepted (attempt ${attempt}); given up: titian notification replay --reference ${referenceNo}`,
        "red",
      ];
    case "kept":
      return ["kept: the partner has no address any more", "yellow"];
    default:
      return ["the sandbox does not say what became of it", "yellow"];
  }
}

/** For `--json`. */
export function toJson({ exchange, content, copy, verification, outcome, saved }: Report): object {
  const { incoming, reply, durationMs, isAbandoned } = exchange;
  const { serviceCode = null, label: _, ...known } = content;
  return {
    event: serviceCode === tokenService ? "token" : "notification",
    time: formatTimestamp(incoming.receivedAt),
    path: incoming.target,
    serviceCode,
    ...known,
    copyOf: copy === undefined ? null : formatTimestamp(copy.firstAt),
    verification,
    reply: {
      httpStatus: isAbandoned ? null : reply.status,
      responseCode: responseCodeIn(reply.body) ?? null,
      durationMs: Math.round(durationMs),
      failure: isAbandoned ? "the sender has stopped waiting" : (reply.failure ?? null),
    },
    ...(serviceCode !== tokenService && { outcome }),
    ...(saved !== undefined && { saved }),
  };
}
