/** A call of the sandbox's record as a line for a person. */
import { styleText } from "node:util";
import { operations } from "@titian/contract";
import type { CallView } from "@titian/sandbox/types";
import { plain } from "../tables/plain.ts";

export interface ShownCall extends CallView {
  /** Reason of its rejection, as a sentence. */
  readonly reason?: string;
}

/** The checks that refuse a call, by their numbers. */
const checks: Readonly<Record<number, string>> = {
  1: "path and method",
  2: "size of the body",
  3: "headers",
  4: "token",
  5: "partner and address",
  6: "X-TIMESTAMP",
  7: "signature",
  8: "permitted services",
  9: "rate limit and queue",
  10: "JSON",
  11: "mandatory fields",
  12: "formats",
};

const lengthMax = 160;
const reasonMax = 500;
const partnerWidth = 10;
const nameWidth = Math.max(...Object.values(operations).map(({ name }) => name.length)) + 3;

/** One line, with its X-CORRELATION-ID at the end; of a refused call, and of one that met a fault, a second one says why. */
export function formatCall(call: ShownCall): readonly string[] {
  const time = call.at.slice(11, 23);
  const partner = plain(call.partnerId ?? "-")
    .slice(0, lengthMax)
    .padEnd(partnerWidth);
  const answer = call.status === 0 ? "no answer" : `${call.responseCode} ${plain(call.responseMessage)}`;
  const line = `${time}  ${partner}  ${nameOf(call).padEnd(nameWidth)}  ${colored(call, answer)}  ${showMs(call.durationMs)}  ${styleText("dim", plain(call.id))}`;
  const why = whyOf(call);
  return why === undefined ? [line] : [line, `${" ".repeat(time.length)}  ${styleText("dim", why)}`];
}

/** Calls that have no line. */
export function formatSkipped(calls: number): string {
  return styleText("dim", `and ${calls} more ${calls === 1 ? "call" : "calls"} within a second`);
}

function nameOf({ operation, serviceCode, method, path }: ShownCall): string {
  return operation === undefined ? plain(`${method} ${path}`).slice(0, lengthMax) : `${serviceCode} ${operation}`;
}

function whyOf({ step, fault, reason }: ShownCall): string | undefined {
  const check = step === undefined ? undefined : `refused by check ${step}, ${checks[step] ?? "unknown"}`;
  const explained =
    check === undefined || reason === undefined ? check : `${check}: ${plain(reason).slice(0, reasonMax)}`;
  const reasons = [
    ...(explained === undefined ? [] : [explained]),
    ...(fault === undefined ? [] : [`fault on purpose: ${plain(fault)}`]),
  ];
  return reasons.length === 0 ? undefined : reasons.join("  ");
}

function colored({ status, isRefused, fault }: ShownCall, answer: string): string {
  if (isRefused || status >= 500 || status === 0) return styleText("red", answer);
  return styleText(status >= 400 || fault !== undefined ? "yellow" : "green", answer);
}

function showMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
