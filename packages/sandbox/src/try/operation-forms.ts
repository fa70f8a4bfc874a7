/** Operations as forms: the contract's fields, as a page shows them. */
import { describeField, type Fields, type Field, operationRows, type OperationRow } from "@titian/contract";
import type { FieldView, OperationView } from "@titian/control";

/** What partners call, in the order of the specification. */
export const callableOperations: readonly OperationRow[] = operationRows.filter(
  ({ direction }) => direction === "toProvider",
);

export function describeOperation({
  name,
  code,
  title,
  description,
  kind,
  path,
  request,
}: OperationRow): OperationView {
  // Notifications, the fourth kind, are sent by the service.
  return {
    name,
    code,
    title,
    description,
    kind: kind === "notification" ? "read" : kind,
    path,
    fields: fieldsOf(request),
  };
}

function fieldsOf(fields: Fields): readonly FieldView[] {
  return Object.entries(fields).map(([name, field]) => describe(name, field));
}

function describe(name: string, field: Field): FieldView {
  const { type } = field;
  // `onSuccess` is a presence of responses.
  const presence = field.presence === "onSuccess" ? "optional" : field.presence;
  const shared = { name, presence, description: describeField(name, field) };
  switch (type.kind) {
    case "text":
      return { ...shared, kind: "text", maxLength: type.max, options: type.values, pattern: type.schema.pattern };
    case "money":
      return { ...shared, kind: "money" };
    case "list":
      return { ...shared, kind: "list", minItems: type.min, maxItems: type.max, fields: fieldsOf(type.entry) };
    case "any":
      return { ...shared, kind: "json", fields: type.members && fieldsOf(type.members) };
  }
}
