/** Open sessions: one's own, with the role security everybody's. */
import type { AnswerOf, CallsOfOperators } from "@titian/control/types";
import { useAction } from "../../api/action.ts";
import { operatorsCall } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { operator } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { Button } from "../../design/inputs.tsx";
import { Panel } from "../../design/page.tsx";
import { ErrorNotice } from "../../design/states.tsx";
import { type Column, List } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { operators } from "../../texts/operations/operators.ts";

type SessionView = AnswerOf<CallsOfOperators["GET /sessions"]>["sessions"][number];

const everyMs = 10_000;

export function Sessions() {
  const texts = operators();
  const asked = operatorsCall("GET /sessions", { query: { limit: "100" } });
  const { data, error, reload } = useControl(asked, everyMs);
  const ending = useAction((sessionId: string) =>
    act(operatorsCall("POST /sessions/{sessionId}/end", { params: { sessionId } })),
  );
  const { ask, dialog } = useConfirm();
  const end = ({ sessionId, name }: SessionView) =>
    ask({
      title: `${texts.end}: ${name}`,
      text: texts.endText(name),
      action: texts.end,
      onConfirm: () => ending.run(sessionId),
    });
  const columns: readonly Column<SessionView>[] = [
    { head: texts.name, cell: ({ name }) => name },
    { head: texts.cameBy, cell: ({ cameBy }) => texts.ways[cameBy] },
    { head: texts.address, cell: ({ address }) => <span class="number">{address}</span> },
    { head: texts.startedAt, cell: ({ startedAt }) => <When at={startedAt} kind="short" /> },
    { head: texts.lastUsedAt, cell: ({ lastUsedAt }) => <When at={lastUsedAt} kind="short" /> },
    { head: texts.expiresAt, cell: ({ expiresAt }) => <When at={expiresAt} kind="short" /> },
    {
      head: texts.end,
      cell: (row) =>
        row.sessionId === operator.value?.sessionId ? (
          <span class="muted">{texts.own}</span>
        ) : (
          <Button kind="danger" label={`${texts.end}: ${row.name}`} onClick={() => end(row)}>
            {texts.end}
          </Button>
        ),
    },
  ];
  return (
    <Panel title={texts.sessions} lead={texts.sessionsLead} isFlush>
      {ending.error && <ErrorNotice error={ending.error} />}
      <List
        caption={texts.sessions}
        columns={columns}
        rows={data?.sessions}
        keyOf={({ sessionId }) => sessionId}
        error={error}
        onRetry={reload}
        empty={{ title: texts.noSessions }}
      />
      {dialog}
    </Panel>
  );
}
