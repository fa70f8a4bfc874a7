/** Operations as forms: the contract's fields, as a page shows them. */
import {
  array,
  caseCauses,
  choice,
  describeField,
  type Field,
  type Fields,
  integer,
  object,
  type OperationRow,
  operationRows,
  operations,
  optional,
  responseCode,
  responseMessage,
  type Schema,
  type Static,
  string,
} from "@titian/contract";
import type { Found } from "@titian/server/admin";

const fieldMembers = {
  name: string(),
  kind: choice(["text", "money", "list", "json"], {
    description: "text; money {value, currency}; list of objects of `fields`; json: any, with its known `fields`",
  }),
  presence: choice(["mandatory", "optional", "conditional"], {
    description: "conditional: mandatory in some cases, which the description says",
  }),
  description: string(),
  maxLength: optional(integer({ description: "of a text" })),
  pattern: optional(string({ description: "of a text: a regular expression" })),
  options: optional(array(string(), { description: "of a text: the only values" })),
  minItems: optional(integer({ description: "of a list" })),
  maxItems: optional(integer({ description: "of a list" })),
};
const members = object(fieldMembers);
export interface FieldView extends Static<typeof members> {
  readonly fields?: readonly FieldView[];
}
const inner: Schema<FieldView> = { type: "object", description: "as the field around it" };

const sentence = object({ en: string(), id: string() });
const caseView = object({
  responseCode: string(),
  responseMessage: string(),
  cause: sentence,
  cure: sentence,
});
const inIndonesian = object({ id: string() }, { description: "the same in other languages, by ISO 639 code" });
const service = object(
  { code: string(), title: string(), titleTranslations: inIndonesian },
  { description: "that tells partners its result" },
);

export const operationView = object({
  name: string({ description: "such as interbankTransfer" }),
  code: string({ description: "two digits" }),
  title: string(),
  titleTranslations: inIndonesian,
  description: string(),
  descriptionTranslations: inIndonesian,
  kind: choice(["write", "read", "token"]),
  noun: optional(string({ description: "what it is about, such as hold or transfer" })),
  notifiedBy: optional(service),
  cases: array(caseView, { description: "rejections of its own; those of the checks before are the same for all" }),
  path: string({ description: "after prefix and version, such as transfer-interbank" }),
  fields: array<FieldView>(object({ ...fieldMembers, fields: optional(array(inner)) })),
});
export type OperationView = Static<typeof operationView>;

/** Operations that partners call, in the order of the specification. */
export const callableOperations: readonly OperationRow[] = operationRows.filter(
  ({ direction }) => direction === "toProvider",
);

export function describeOperation({
  name,
  code,
  title,
  titleTranslations,
  description,
  descriptionTranslations,
  kind,
  path,
  request,
  about: { noun, notifiedBy },
  cases,
}: OperationRow): Found<OperationView> {
  // Notifications, the fourth kind, are sent by the service.
  return {
    name,
    code,
    title,
    titleTranslations,
    description,
    descriptionTranslations,
    kind: kind === "notification" ? "read" : kind,
    path,
    noun,
    notifiedBy: notifiedBy && operations[notifiedBy],
    cases: cases.flatMap((caseName) => {
      const explained = caseCauses[caseName];
      const [message, response] = [responseMessage(caseName), responseCode(caseName, code)];
      return explained ? [{ responseCode: response, responseMessage: message, ...explained }] : [];
    }),
    fields: fieldsOf(request),
  };
}

function fieldsOf(fields: Fields): readonly Found<FieldView>[] {
  return Object.entries(fields).map(([name, field]) => describe(name, field));
}

function describe(name: string, field: Field): Found<FieldView> {
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
