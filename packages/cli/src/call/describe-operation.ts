/** `titian call <operation> --help`: the fields of its request and of its response. */
import { describeField, type Fields, type FieldType } from "@titian/contract";
import { formatTable, widthOfTerminal } from "../tables/table.ts";
import type { CallableRow } from "./find-operation.ts";

interface Line {
  readonly field: string;
  readonly presence: string;
  readonly type: string;
  readonly description: string;
}

export function describeOperation({ name, code, title, description, request, response }: CallableRow): string {
  return [
    `${name} (${code}): ${title}`,
    description,
    `\nRequest:\n${formatFields(request)}`,
    `\nResponse:\n${formatFields(response)}`,
  ].join("\n");
}

const presences = { mandatory: "mandatory", optional: "optional", conditional: "conditional", onSuccess: "on success" };

function formatFields(fields: Fields): string {
  const columns = { field: "field", presence: "presence", type: "type", description: "description" };
  return formatTable(columns, linesOf(fields, ""), widthOfTerminal() - 2).replaceAll(/^/gm, "  ");
}

/** A line for each field, with those of list entries and of objects behind their own. */
function linesOf(fields: Fields, prefix: string): readonly Line[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const line = {
      field: path,
      presence: presences[field.presence],
      type: describeType(field.type),
      description: describeField(name, field),
    };
    return [line, ...membersOf(field.type, path)];
  });
}

function membersOf(type: FieldType, path: string): readonly Line[] {
  if (type.kind === "list") return linesOf(type.entry, `${path}[].`);
  return type.kind === "any" && type.members !== undefined ? linesOf(type.members, `${path}.`) : [];
}

function describeType(type: FieldType): string {
  switch (type.kind) {
    case "money":
      return "amount";
    case "any":
      return "JSON";
    case "list":
      return `list of ${type.min} to ${type.max}`;
    case "text":
      return type.values === undefined ? `text to ${type.max}` : type.values.join(" | ");
  }
}
