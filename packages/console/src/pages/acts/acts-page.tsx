/** Operators' acts, newest first. */
import type { ActView } from "@titian/control/types";
import { call } from "../../api/call.ts";
import { Page, Panel } from "../../design/page.tsx";
import type { Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { acts } from "../../texts/acts.ts";
import { common } from "../../texts/common.ts";
import { shell } from "../../texts/shell.ts";
import { FilteredList } from "../world/filtered-list.tsx";
import { ActBadge, actHref, doesOf, TargetLink } from "../../acts/act-parts.tsx";

export function ActsPage() {
  const texts = acts();
  const columns: readonly Column<ActView>[] = [
    { head: common().state, cell: ({ state }) => <ActBadge state={state} /> },
    { head: texts.does, cell: (row) => <a href={actHref(row)}>{doesOf(row)}</a> },
    { head: texts.on, cell: (row) => <TargetLink act={row} /> },
    { head: texts.reason, cell: ({ reason }) => reason },
    { head: texts.proposedBy, cell: ({ proposedBy }) => proposedBy },
    { head: common().time, cell: ({ proposedAt }) => <When at={proposedAt} kind="short" /> },
  ];
  return (
    <Page title={shell().acts} lead={texts.lead}>
      <Panel isFlush>
        <FilteredList
          caption={texts.caption}
          name="acts"
          pageMax="100"
          fields={[
            {
              name: "open",
              label: texts.open,
              kind: "choice",
              options: [{ value: "true", label: texts.onlyOpen }],
            },
            { name: "target", label: texts.target, kind: "text" },
          ]}
          callOf={(query) => call("GET /acts", { query })}
          pageOf={({ acts: rows, next }) => ({ rows, next })}
          idOf={({ actId }) => actId}
          hasOrder={false}
          isCounted={false}
          columns={columns}
          empty={{ title: texts.none, text: texts.noneText }}
        />
      </Panel>
    </Page>
  );
}
