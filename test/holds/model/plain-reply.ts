/** Replies in a form that can be compared. */
import type { Reply } from "../../../packages/server/src/call.ts";
import type { ModelReply } from "./naive-model.ts";

export interface PlainReply {
  readonly case: string;
  readonly field?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Case, named field and fields, without what has no value; free-form bytes as what they say; a rejection as its code. */
export function plain({ case: name, field, fields = {} }: ModelReply | Reply): PlainReply {
  const text = JSON.stringify({ case: name, field, fields }, (member, value: unknown) => {
    if (member === "rejection") return codeOf(value);
    const bytes = isBytes(value);
    return bytes ? (JSON.parse(bytes.toString()) as unknown) : value;
  });
  return JSON.parse(text) as PlainReply;
}

function codeOf(rejection: unknown): unknown {
  const isWhole = typeof rejection === "object" && rejection !== null && "responseCode" in rejection;
  return isWhole ? rejection.responseCode : rejection;
}

/** A buffer is asked for its JSON before a replacer sees it. */
function isBytes(value: unknown): Buffer | undefined {
  if (typeof value !== "object" || value === null || !("type" in value) || !("data" in value)) return undefined;
  return value.type === "Buffer" && Array.isArray(value.data) ? Buffer.from(value.data as number[]) : undefined;
}
