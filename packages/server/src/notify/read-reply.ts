/** Acceptance of a notification by a partner's reply (spec D14). */
import { isObject, parseResponseCode } from "@titian/contract";
import type { PostReply } from "./http-client.ts";

export interface ReadReply {
  readonly responseCode: string | undefined;
  /** First characters, for the history. */
  readonly text: string;
  /** Reason why it does not accept the notification; undefined: it does. */
  readonly failure: string | undefined;
}

const textMax = 500;

/** Accepted: HTTP 2xx with a code of the 200 class, or 409xx00: the partner has it already. */
export function readReply({ status, body }: PostReply): ReadReply {
  const whole = body.toString("utf8");
  // PostgreSQL holds no NUL in a text.
  const text = whole.slice(0, textMax).replaceAll("\0", "\uFFFD");
  const responseCode = codeIn(whole);
  const code = responseCode === undefined ? undefined : parseResponseCode(responseCode);
  const isSuccess = status >= 200 && status < 300 && code?.status === 200;
  if (isSuccess || code?.caseName === "conflict") return { responseCode, text, failure: undefined };
  return {
    responseCode,
    text,
    failure: code ? `answered ${responseCode}` : `answered HTTP ${status} without a responseCode`,
  };
}

function codeIn(text: string): string | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    const code = isObject(fields) ? fields["responseCode"] : undefined;
    return typeof code === "string" && /^\d{7}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
