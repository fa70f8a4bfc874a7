/** Operators with their roles, and, in production, their open sessions. */
import { ActForms } from "../../acts/act-forms.tsx";
import { additionForm, operatorForms, type OperatorView, rolesText } from "../../acts/operator-forms.ts";
import { call } from "../../api/call.ts";
import { isProduction, mayCall, operator } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Badge } from "../../design/badge.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { type Column, List } from "../../design/table.tsx";
import { common } from "../../texts/common.ts";
import { forms } from "../../texts/operations/forms.ts";
import { operators } from "../../texts/operations/operators.ts";
import { shell } from "../../texts/shell.ts";
import { Sessions } from "./sessions.tsx";

const everyMs = 10_000;

export function OperatorsPage() {
  const texts = operators();
  const { data, error, reload } = useControl(call("GET /operators"), everyMs);
  const columns: readonly Column<OperatorView>[] = [
    { head: texts.name, cell: ({ name }) => name },
    { head: texts.roles, cell: ({ roles }) => rolesText(roles) },
    {
      head: common().state,
      cell: ({ isEnded }) => <Badge tone={isEnded ? "plain" : "good"}>{isEnded ? texts.ended : texts.active}</Badge>,
    },
    {
      head: texts.subject,
      cell: ({ issuer, subject }) => (
        <span class="small">
          {subject} <span class="muted">{issuer}</span>
        </span>
      ),
    },
    { head: texts.act, cell: (row) => <ActForms forms={operatorForms(row)} /> },
  ];
  const isChanged = mayCall("POST /operators");
  const first = operator.value?.issuer ?? data?.operators[0]?.issuer ?? "";
  return (
    <Page title={shell().operators} lead={texts.lead}>
      <Panel isFlush>
        <List
          caption={shell().operators}
          columns={isChanged ? columns : columns.slice(0, -1)}
          rows={data?.operators}
          keyOf={({ id }) => id}
          error={error}
          onRetry={reload}
          empty={{ title: texts.none, text: texts.noneText }}
        />
      </Panel>
      {data && <ActForms title={forms().kinds.addOperator.action} forms={[additionForm(first)]} />}
      {isProduction() && <Sessions />}
    </Page>
  );
}
