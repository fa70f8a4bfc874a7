/** Forms of acts on operators: added, given a role, taken one from, ended. */
import { type Answer, call } from "../api/call.ts";
import { common } from "../texts/common.ts";
import { forms } from "../texts/operations/forms.ts";
import { operators } from "../texts/operations/operators.ts";
import { operatorRoleNames, word } from "../texts/words.ts";
import { type ActForm, filled } from "./form.ts";

export type OperatorView = Answer<"GET /operators">["operators"][number];

export const rolesText = (roles: readonly string[]): string =>
  roles.map((role) => word("operatorRoles", role)).join(", ") || common().none;

const roleField = (roles: readonly string[]) =>
  ({
    name: "role",
    label: operators().role,
    kind: "choice",
    options: roles.map((value) => ({ value, label: word("operatorRoles", value) })),
  }) as const;

/** Forms of one operator; nothing of one that has ended. */
export function operatorForms(operator: OperatorView): readonly ActForm[] {
  const { id: operatorId, name, roles, isEnded } = operator;
  if (isEnded) return [];
  const { grantRole, takeRole, endOperator } = forms().kinds;
  const named = (action: string) => ({ label: `${action}: ${name}`, title: `${action}: ${name}` });
  const lacking = operatorRoleNames.filter((role) => !roles.includes(role));
  const all: readonly (ActForm | false)[] = [
    lacking.length > 0 && {
      route: "POST /operators/{operatorId}/roles/{role}",
      ...grantRole,
      ...named(grantRole.action),
      fields: [roleField(lacking)],
      changes: ({ role = "" }) => [
        { name: operators().roles, before: rolesText(roles), after: rolesText([...roles, role]) },
      ],
      callOf: ({ role = "" }, words) =>
        call("POST /operators/{operatorId}/roles/{role}", { params: { operatorId, role }, body: words }),
    },
    roles.length > 0 && {
      route: "DELETE /operators/{operatorId}/roles/{role}",
      ...takeRole,
      ...named(takeRole.action),
      isGrave: true,
      isAtOnce: true,
      fields: [roleField(roles)],
      changes: ({ role = "" }) => [
        { name: operators().roles, before: rolesText(roles), after: rolesText(roles.filter((one) => one !== role)) },
      ],
      callOf: ({ role = "" }, words) =>
        call("DELETE /operators/{operatorId}/roles/{role}", { params: { operatorId, role }, body: words }),
    },
    {
      route: "POST /operators/{operatorId}/end",
      ...endOperator,
      ...named(endOperator.action),
      isGrave: true,
      isAtOnce: true,
      fields: [],
      changes: () => [{ name: common().state, before: operators().active, after: operators().ended }],
      callOf: (_, words) => call("POST /operators/{operatorId}/end", { params: { operatorId }, body: words }),
    },
  ];
  return all.filter((form) => form !== false);
}

/** @param issuer of the operators that there are */
export function additionForm(issuer: string): ActForm {
  const texts = operators();
  const { addOperator } = forms().kinds;
  return {
    route: "POST /operators",
    ...addOperator,
    title: addOperator.action,
    fields: [
      { name: "name", label: texts.name, kind: "text" },
      { name: "issuer", label: texts.issuer, hint: texts.issuerHint, kind: "text", initial: issuer },
      { name: "subject", label: texts.subject, hint: texts.subjectHint, kind: "text" },
      roleField(operatorRoleNames),
      { name: "databaseRole", label: texts.databaseRole, kind: "text", isOptional: true },
    ],
    changes: ({ name = "", role = "" }) => [
      { name: name || texts.name, before: common().none, after: rolesText([role]) },
    ],
    callOf: ({ name = "", issuer: at = "", subject = "", role = "", ...given }, words) =>
      call("POST /operators", {
        body: { name, issuer: at, subject, roles: [role], ...filled(given, "databaseRole"), ...words },
      }),
  };
}
