/** docs/reference/control-calls.md: the operators' calls as their rows have them. */
import type { ObjectSchema, Schema } from "@titian/contract";
import type { AnyCall } from "@titian/control";
import type { Drift } from "./document.ts";

export const controlCallsPath = "docs/reference/control-calls.md";

const intro = `# Control calls

Drawn from the rows by \`npm run docs:draw\`. How the calls are made, with examples, is in
[Sandbox](../guides/sandbox.md#control-calls); \`/docs\` on the service shows them with the type and meaning of each member. A member with
\`?\` may be left out, \`…\` stands for more of the same. Reading calls change nothing. Roles are those of operators; the
sandbox has one control token for all calls.
`;

export function drawControlCalls(rows: readonly AnyCall[], mount = "/sandbox"): string {
  const nouns = [...new Set(rows.map(nounOf))];
  const parts = nouns.map((noun) => {
    const calls = rows.filter((row) => nounOf(row) === noun).map((row) => drawCall(row, mount));
    return `## ${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("-", " ")}\n\n${calls.join("\n")}`;
  });
  return [intro, ...parts].join("\n");
}

export const nounOf = ({ name }: AnyCall): string => name.split(" ")[0] ?? name;

function drawCall({ method, path, access, role, does, query, body, answer }: AnyCall, mount: string): string {
  const lines = [
    `\`${method} ${mount}${path}\` (${access === "read" ? "reads" : "acts"}, ${role}): ${does}`,
    hasMembers(query) && `- query: ${shapeOf(query)}`,
    hasMembers(body) && `- body: ${shapeOf(body)}`,
    answer !== undefined && `- answer: ${shapeOf(answer)}`,
  ].filter((line) => line !== false);
  const [head, ...details] = lines;
  return `${head}\n\n${details.map((line) => `${line}\n`).join("")}`;
}

const hasMembers = ({ properties }: ObjectSchema): boolean => Object.keys(properties).length > 0;

const shapeOf = (schema: Schema): string => `\`${membersOf(schema)}\``;

/** Names alone: `{accounts: [{accountNo, name}, …], next}`. */
function membersOf(schema: Schema): string {
  const { properties, items, anyOf } = schema;
  if (properties !== undefined) {
    const required = new Set(schema.required);
    const names = Object.entries(properties).map(([name, member]) => {
      const inner = membersOf(member);
      const optional = required.has(name) ? "" : "?";
      return inner === "" ? `${name}${optional}` : `${name}${optional}: ${inner}`;
    });
    return `{${names.join(", ")}}`;
  }
  const inner = items ?? anyOf?.find((one) => membersOf(one) !== "");
  if (inner === undefined) return "";
  return items === undefined ? membersOf(inner) : listOf(membersOf(inner));
}

const listOf = (entry: string): string => (entry === "" ? "[…]" : `[${entry}, …]`);

export function checkControlCalls(source: string, drawn: string): Drift[] {
  if (source === drawn) return [];
  return [{ path: controlCallsPath, line: 1, message: "the calls are not those of the rows: npm run docs:draw" }];
}
