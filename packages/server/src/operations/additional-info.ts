/** Reads `additionalInfo` of requests, and adds to it in responses (spec D5). */
import { isBlank, isObject, type TextType } from "@titian/contract";
import type { Call, Reply } from "../interfaces/call.ts";
import type { ParsedRequest } from "./parsed-request.ts";

/** Reads the named members of an object; other JSON has none. An invalid member is 400xx01. */
export function readAdditional<Name extends string>(
  additionalInfo: unknown,
  types: Readonly<Record<Name, TextType>>,
): ParsedRequest<Readonly<Partial<Record<Name, string>>>> {
  const parsed: Partial<Record<Name, string>> = {};
  for (const [name, type] of Object.entries<TextType>(types)) {
    const given = isObject(additionalInfo) ? additionalInfo[name] : undefined;
    if (isBlank(given)) continue;
    const text = typeof given === "string" ? type.read(given) : undefined;
    if (text === undefined) {
      return { ok: false, reply: { case: "invalidFieldFormat", field: `additionalInfo.${name}` } };
    }
    parsed[name as Name] = text;
  }
  return { ok: true, parsed };
}

/**
 * The response's `additionalInfo`: the request's, as it came, with our members behind its own. What the request said of them
 * stays; to JSON that is no object nothing is added. Both may be absent.
 */
export function addToReceived(
  received: Uint8Array | undefined,
  ours: Readonly<Record<string, string>> | undefined,
): unknown {
  if (received === undefined || ours === undefined) return received ?? ours;
  const text = Buffer.from(received).toString("utf8");
  const given: unknown = JSON.parse(text);
  if (!isObject(given)) return received;
  const added = Object.entries(ours).filter(([name]) => isBlank(given[name]));
  if (added.length === 0) return received;
  // A blank member counts as absent: ours replaces it.
  return Buffer.from(replaceMembers(text, new Set(added.map(([name]) => name)), Object.fromEntries(added)));
}

/**
 * A query's reply with the request's members in its `additionalInfo`. The record's win, and a member that only the record
 * can have is not taken from the request, although the record lacks it.
 */
export function mergeIntoQuery(reply: Reply, { operation, freeForm }: Pick<Call, "operation" | "freeForm">): Reply {
  const received = freeForm.get("additionalInfo");
  if (received === undefined || reply.case !== "success") return reply;
  const { additionalInfo: recorded = {} } = reply.fields ?? {};
  const text = Buffer.from(received).toString("utf8");
  if (!text.startsWith("{") || !isObject(recorded)) return reply;
  const type = operation.response["additionalInfo"]?.type;
  const reserved = type?.kind === "any" ? Object.keys(type.members ?? {}) : [];
  const merged = replaceMembers(text, new Set([...reserved, ...Object.keys(recorded)]), recorded);
  return { ...reply, fields: { ...reply.fields, additionalInfo: Buffer.from(merged) } };
}

/** The JSON object without these members, with others at its end; what stays keeps its bytes. */
function replaceMembers(
  object: string,
  removed: ReadonlySet<string>,
  added: Readonly<Record<string, unknown>>,
): string {
  const members = Object.entries(added).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${JSON.stringify(value)}`],
  );
  const found = [...membersOf(object)];
  const kept = found.filter(({ name }) => !removed.has(name));
  const comma = kept.length > 0 && members.length > 0 ? "," : "";
  if (kept.length === found.length) {
    return `${object.slice(0, object.lastIndexOf("}"))}${comma}${members.join(",")}}`;
  }
  return `{${kept.map(({ text }) => text).join(",")}${comma}${members.join(",")}}`;
}

const tokens = /"(?:[^"\\]+|\\.)*"|[{}[\],]/g;

/** The members of a JSON object, each with its text. */
function* membersOf(object: string): Iterable<{ readonly name: string; readonly text: string }> {
  let depth = 0;
  let start = -1;
  let name = "";
  for (const { 0: token, index } of object.matchAll(tokens)) {
    if (depth === 1 && start < 0 && token.startsWith('"')) {
      start = index;
      name = JSON.parse(token) as string;
    }
    if (token === "}" || token === "]") depth -= 1;
    const isEnd = (depth === 1 && token === ",") || depth === 0;
    if (isEnd && start >= 0) {
      yield { name, text: object.slice(start, index).trimEnd() };
      start = -1;
    }
    if (token === "{" || token === "[") depth += 1;
  }
}
