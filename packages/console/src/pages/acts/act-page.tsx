/** One act: what it changes, who proposed it, who decided on it, what came of it. */
import type { ActView } from "@titian/control/types";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { inCell } from "../../api/cells.ts";
import { act as carryOut } from "../../api/control.ts";
import { isProduction, may, operator } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { type Fact, Facts } from "../../design/facts.tsx";
import { Button } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Unmask } from "../../design/personal.tsx";
import { ErrorNotice, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { backTo, cellShown, hrefOf } from "../../routing/router.ts";
import { acts } from "../../texts/acts.ts";
import { cells } from "../../texts/operations/cells.ts";
import { shell } from "../../texts/shell.ts";
import { word } from "../../texts/words.ts";
import { ActBadge, doesOf, isOfTransfer, TargetLink, meaningOf } from "../../acts/act-parts.tsx";

const everyMs = 4_000;

export function ActPage({ actId }: { readonly actId: string }) {
  const texts = acts();
  const asked = inCell(call("GET /acts/{actId}", { params: { actId } }), cellShown());
  const { data, error, reload } = useControl(asked, everyMs);
  return (
    <Page
      title={data ? `${texts.act}: ${word("actKinds", data.kind)}` : texts.act}
      lead={data && meaningOf(data)}
      back={{ href: backTo("world", "acts"), label: shell().acts }}
      actions={data && <ActBadge state={data.state} />}
    >
      {!data && <Panel>{error ? <Failure error={error} onRetry={reload} /> : <Skeleton lines={6} />}</Panel>}
      {data && (
        <>
          <Panel title={texts.does}>
            <div class="stack">
              <p>{doesOf(data)}.</p>
              <Facts facts={factsOf(data)} />
            </div>
          </Panel>
          <Unmask number={actId} shown={data} />
          {may("operator", "approver", "security") && <Decision shown={data} />}
        </>
      )}
    </Page>
  );
}

function factsOf(data: ActView): readonly Fact[] {
  const texts = acts();
  const { state, decidedAt, carriedOutAt, journalNo } = data;
  const decided = state === "refused" || state === "expired" ? state : "approved";
  return [
    [texts.on, <TargetLink act={data} />],
    [texts.reason, data.reason],
    [texts.ticket, data.ticket],
    [texts.proposedBy, data.proposedBy],
    [texts.proposed, <When at={data.proposedAt} />],
    [texts.expires, state === "proposed" && <When at={data.expiresAt} />],
    [texts.decidedBy[decided], data.decidedBy],
    [texts.decided, decidedAt !== undefined && <When at={decidedAt} />],
    [texts.refusal, data.refusal],
    [texts.carriedOutBy, data.carriedOutBy],
    [texts.carriedOut, carriedOutAt !== undefined && state === "done" && <When at={carriedOutAt} />],
    [texts.found, data.found],
    [texts.journal, journalNo !== undefined && <Journal act={data} journalNo={journalNo} />],
    [texts.act, <span class="number">{data.actId}</span>],
    [cells().number, data.cell],
  ];
}

/** A journal of a transfer's result leads to the transfer; that of an account's money has no page of its own. */
function Journal({ act: { kind }, journalNo }: { readonly act: ActView; readonly journalNo: string }) {
  if (!isOfTransfer(kind)) return <span class="number">{journalNo}</span>;
  return (
    <a class="number" href={hrefOf(["record", journalNo])}>
      {journalNo}
    </a>
  );
}

/** Nobody approves an own proposal. */
function mayApprove({ proposedBy }: ActView): boolean {
  const own = operator.value;
  return own === undefined || (may("approver", "security") && proposedBy !== `${own.issuer} ${own.subject}`);
}

type Verdict = { readonly isApproved: true } | { readonly isApproved: false; readonly reason: string };

function Decision({ shown }: { readonly shown: ActView }) {
  const texts = acts();
  const { actId, cell, hash, state } = shown;
  const { run, isRunning, error, result } = useAction((verdict: Verdict) => {
    const params = { actId };
    const decision = verdict.isApproved
      ? call("POST /acts/{actId}/approve", { params, body: { hash } })
      : call("POST /acts/{actId}/refuse", { params, body: { hash, reason: verdict.reason } });
    return carryOut(inCell(decision, cell?.toString()));
  });
  const { ask, dialog } = useConfirm();
  const approve = () =>
    ask({
      title: texts.approve,
      text: texts.approveText(doesOf(shown)),
      action: texts.approve,
      onConfirm: () => run({ isApproved: true }),
    });
  const refuse = () =>
    ask({
      title: texts.refuse,
      text: texts.refuseText(doesOf(shown)),
      action: texts.refuse,
      reason: { label: texts.why, missing: texts.whyMissing },
      onConfirm: (reason) => run({ isApproved: false, reason }),
    });
  const isToldHere = result?.state === state;
  if (state !== "proposed" && !isToldHere && !error) return null;
  // The database of a further cell knows no session of an operator.
  if (cell !== undefined && isProduction())
    return (
      <Panel title={texts.decide}>
        <Notice>
          {texts.decideInCell} <code>{`titian --cell ${cell} act approve ${actId}`}</code>
        </Notice>
      </Panel>
    );
  return (
    <Panel title={texts.decide} lead={texts.decideLead}>
      <div class="stack-tight">
        {state === "proposed" && (
          <div class="row">
            {mayApprove(shown) && (
              <Button isBusy={isRunning} kind="primary" onClick={approve}>
                {texts.approve}
              </Button>
            )}
            <Button isBusy={isRunning} kind="danger" onClick={refuse}>
              {texts.refuse}
            </Button>
          </div>
        )}
        {error && <ErrorNotice error={error} />}
        {isToldHere && <Notice tone="info">{texts.isNow(word("acts", state))}</Notice>}
      </div>
      {dialog}
    </Panel>
  );
}
