/** The audit of the whole ledger, on demand. */
import { useAction } from "../../api/action.ts";
import { type Answer, call } from "../../api/call.ts";
import { control } from "../../api/control.ts";
import { Button } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Notice } from "../../design/states.tsx";
import { Table, type Column } from "../../design/table.tsx";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";

type Finding = Answer<"GET /audit">["findings"][number];

export function AuditPage() {
  const texts = world();
  const { run, isRunning, error, result } = useAction(() => control(call("GET /audit")));
  const columns: readonly Column<Finding>[] = [
    { head: texts.check, cell: ({ check }) => check },
    { head: texts.subject, cell: ({ subject }) => <span class="number">{subject}</span> },
    { head: texts.expected, cell: ({ expected }) => <span class="number">{expected}</span> },
    { head: texts.found, cell: ({ found }) => <span class="number">{found}</span> },
  ];
  return (
    <Page
      title={shell().audit}
      lead={texts.auditLead}
      actions={
        <Button kind="primary" onClick={run} isBusy={isRunning}>
          {texts.auditRun}
        </Button>
      }
    >
      {error && <Notice tone="bad">{errorText(error)}</Notice>}
      {result?.ok && <Notice tone="good">{texts.auditOk}</Notice>}
      {result && !result.ok && (
        <Panel title={texts.auditFound(result.findings.length)} isFlush>
          <Table
            caption={texts.auditFound(result.findings.length)}
            columns={columns}
            rows={result.findings}
            keyOf={(_, position) => position}
          />
        </Panel>
      )}
    </Page>
  );
}
