/** Replies in a form that can be compared. */
import type { Reply } from "../../../packages/server/src/interfaces/call.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface ModelReply {
  readonly case: string;
  readonly field?: string | undefined;
  readonly fields?: Fields;
}

export interface PlainReply extends ModelReply {
  readonly fields: Fields;
}

/** Without undefined fields. */
export function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Case, named field and fields, without undefined values; free-form bytes parsed; a rejection as its response code. */
export function plain({ case: name, field, fields = {} }: ModelReply | Reply): PlainReply {
  const text = JSON.stringify({ case: name, field, fields }, (member, value: unknown) => {
    if (member === "rejection") return codeOf(value);
    const bytes = bytesOf(value);
    return bytes ? (JSON.parse(bytes.toString()) as unknown) : value;
  });
  return JSON.parse(text) as PlainReply;
}

function codeOf(rejection: unknown): unknown {
  const isWhole = typeof rejection === "object" && rejection !== null && "responseCode" in rejection;
  return isWhole ? rejection.responseCode : rejection;
}

/** A replacer sees a buffer as its JSON. */
function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== "object" || value === null || !("type" in value) || !("data" in value)) return undefined;
  return value.type === "Buffer" && Array.isArray(value.data) ? Buffer.from(value.data as number[]) : undefined;
}
