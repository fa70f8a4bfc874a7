/** Replies in a form that can be compared. */
import type { Reply } from "../../src/call.ts";
import type { ModelReply } from "./naive-model.ts";

export interface PlainReply {
  readonly case: string;
  readonly field?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Case, named field and fields, without what has no value; free-form bytes as what they say. */
export function plain({ case: name, field, fields = {} }: ModelReply | Reply): PlainReply {
  const text = JSON.stringify({ case: name, field, fields }, (_, value: unknown) => {
    const bytes = isBytes(value);
    return bytes ? (JSON.parse(bytes.toString()) as unknown) : value;
  });
  return JSON.parse(text) as PlainReply;
}

/** A buffer is asked for its JSON before a replacer sees it. */
function isBytes(value: unknown): Buffer | undefined {
  if (typeof value !== "object" || value === null || !("type" in value) || !("data" in value)) return undefined;
  return value.type === "Buffer" && Array.isArray(value.data) ? Buffer.from(value.data as number[]) : undefined;
}
