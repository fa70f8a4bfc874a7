/** Reason why a partner's receiver did not accept a notification, as far as what it answered shows it. Pure. */
import { isObject } from "@titian/contract";
import type { Statement } from "../report.ts";
import { shown } from "../shown.ts";
import { type Saying, state } from "../state.ts";
import { explainVerifiedText } from "./verified-text.ts";

/** An attempt that failed, as it is recorded. */
export interface FailedAttempt {
  readonly partnerId: string;
  readonly serviceCode: string;
  /** Its query masked. */
  readonly url: string;
  /** Absent: there was no whole reply, and `failure` says why. */
  readonly httpStatus?: number | undefined;
  readonly responseCode?: string | undefined;
  /** First characters of the reply. */
  readonly reply?: string | undefined;
}

const signatureWords = /signature|tanda tangan/i;

/** Undefined: there was no reply, whose failure speaks for itself. */
export function explainAttempt(attempt: FailedAttempt): Statement | undefined {
  const said = reasonOf(attempt);
  return said && state([said]);
}

function reasonOf(attempt: FailedAttempt): Saying | undefined {
  const { httpStatus: status, responseCode: code, reply = "" } = attempt;
  if (status === undefined) return undefined;
  if (status >= 300 && status < 400) return { id: "attempt.redirect" };
  const isSuccess = code?.startsWith("200") === true;
  if (status === 401 || code?.startsWith("401")) return unauthorized(attempt);
  // Some answer 400 or 403 to a signature.
  if (!isSuccess && signatureWords.test(reply)) return unauthorized(attempt);
  if (code !== undefined) return byCode(status, code);
  return byStatus(status) ?? withoutCode(reply);
}

function unauthorized(attempt: FailedAttempt): Saying {
  const { partnerId, serviceCode, responseCode, reply = "" } = attempt;
  const partner = shown(partnerId);
  const verified = explainVerifiedText(reply, attempt.url);
  if (verified) return verified;
  if (/unknown client/i.test(reply)) return { id: "attempt.otherPartner", parameters: { partner } };
  if (/timestamp|expired (?:call|request|time)|clock|stale/i.test(reply)) return { id: "attempt.time" };
  const isOfSignature = signatureWords.test(reply);
  const isOfToken = /token/i.test(reply) || /^401\d{2}01$/.test(responseCode ?? "");
  if (isOfToken && !isOfSignature) return { id: "attempt.token" };
  if (responseCode === undefined && !isOfSignature) return { id: "attempt.noEnvelope401" };
  return { id: "attempt.signature", parameters: { partner, service: serviceCode } };
}

function byCode(status: number, code: string): Saying {
  if (code.startsWith("200")) return { id: "attempt.statusAgainstCode", parameters: { status: String(status) } };
  if (code.startsWith("40400")) return { id: "attempt.notFound" };
  if (/^404\d{2}01$/.test(code)) return { id: "attempt.unknownReference" };
  if (code.startsWith("400")) return { id: "attempt.body" };
  if (code.startsWith("429")) return { id: "attempt.tooMany" };
  return code.startsWith("5") ? { id: "attempt.failedThere" } : { id: "attempt.rejected", parameters: { code } };
}

const byNumber: Readonly<Record<number, Saying["id"]>> = {
  400: "attempt.body",
  403: "attempt.forbidden",
  404: "attempt.notFound",
  405: "attempt.method",
  406: "attempt.body",
  413: "attempt.tooLarge",
  415: "attempt.body",
  422: "attempt.body",
  429: "attempt.tooMany",
  502: "attempt.gateway",
  503: "attempt.gateway",
  504: "attempt.gateway",
};

function byStatus(status: number): Saying | undefined {
  const id = byNumber[status] ?? (status >= 500 ? "attempt.failedThere" : undefined);
  return id && { id, parameters: { status: String(status) } };
}

function withoutCode(reply: string): Saying {
  const code = codeIn(reply);
  if (typeof code === "number") return { id: "attempt.numberAsCode" };
  if (typeof code === "string") return { id: "attempt.otherCode", parameters: { code: shown(code) } };
  return { id: /^\s*</.test(reply) ? "attempt.page" : "attempt.noEnvelope" };
}

function codeIn(reply: string): unknown {
  try {
    const fields: unknown = JSON.parse(reply);
    return isObject(fields) ? fields["responseCode"] : undefined;
  } catch {
    return undefined;
  }
}
