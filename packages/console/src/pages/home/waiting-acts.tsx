/** The queue of acts that wait for an approval or a node. */
import type { ActView } from "@titian/control/types";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Panel } from "../../design/page.tsx";
import { type Column, List } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { hrefOf } from "../../routing/router.ts";
import { acts } from "../../texts/acts.ts";
import { common } from "../../texts/common.ts";
import { shell } from "../../texts/shell.ts";
import { ActBadge, actHref, doesOf } from "../../acts/act-parts.tsx";

const everyMs = 5_000;
const shownMax = "25";

export function WaitingActs() {
  const texts = acts();
  const asked = call("GET /acts", { query: { open: "true", limit: shownMax } });
  const { data, error, reload } = useControl(asked, everyMs);
  const columns: readonly Column<ActView>[] = [
    { head: common().state, cell: ({ state }) => <ActBadge state={state} /> },
    { head: texts.does, cell: (row) => <a href={actHref(row)}>{doesOf(row)}</a> },
    { head: texts.proposedBy, cell: ({ proposedBy }) => proposedBy },
    { head: texts.expires, cell: ({ expiresAt }) => <When at={expiresAt} kind="short" /> },
  ];
  return (
    <Panel title={shell().waiting} actions={<a href={hrefOf(["world", "acts"])}>{shell().allActs}</a>} isFlush>
      <List
        caption={shell().waiting}
        columns={columns}
        rows={data?.acts}
        keyOf={({ actId }) => actId}
        error={error}
        onRetry={reload}
        empty={{ title: texts.none }}
      />
    </Panel>
  );
}
