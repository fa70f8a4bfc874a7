/** A rail, service or intake that an operator has closed: by whom, why, what has to be approved by when, and what waits. */
import type { ActView, SwitchView } from "@titian/control/types";
import { ActBadge, actHref, doesOf, personText } from "../../acts/act-parts.tsx";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Notice } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { acts } from "../../texts/acts.ts";
import { switches } from "../../texts/operations/switches.ts";

const everyMs = 5_000;

interface ClosedNoticeProps {
  readonly name: string;
  readonly closed: NonNullable<SwitchView["closed"]>;
}

export function ClosedNotice({ name, closed: { reason, closedAt, actId } }: ClosedNoticeProps) {
  const { data: closing } = useControl(call("GET /acts/{actId}", { params: { actId } }), everyMs);
  const { data: open } = useControl(call("GET /acts", { query: { target: name, open: "true" } }), everyMs);
  const reopening = open?.acts.find(({ kind }) => kind === "reopening");
  const texts = switches();
  return (
    <Notice tone="warn">
      <div>
        {texts.closedBy(closing ? personText(closing.proposedBy) : "…")} <When at={closedAt} kind="minute" />.{" "}
        {acts().reason}: {reason}
      </div>
      {closing && <Standing closing={closing} />}
      {reopening && (
        <div>
          <ActBadge state={reopening.state} /> {doesOf(reopening)}. {texts.reopeningWaits}{" "}
          <When at={reopening.expiresAt} kind="minute" />. <a href={actHref(reopening)}>{acts().show}</a>
        </div>
      )}
    </Notice>
  );
}

/** Approval of the closing: it stands, also where it is overdue. */
function Standing({ closing }: { readonly closing: ActView }) {
  const { state, decidedBy, expiresAt } = closing;
  const texts = switches();
  return (
    <div>
      {state === "proposed" ? (
        <>
          {texts.notApproved} <When at={expiresAt} kind="minute" />.{" "}
        </>
      ) : (
        `${texts.approvedBy(decidedBy === undefined ? "–" : personText(decidedBy))} `
      )}
      <a href={actHref(closing)}>{acts().show}</a>
    </div>
  );
}
