/** The acts that an operator may propose on a record: their buttons, the form of the one that is chosen, and what became of it. */
import { useState } from "preact/hooks";
import { useAction } from "../api/action.ts";
import { call } from "../api/call.ts";
import { inCell } from "../api/cells.ts";
import { act as carryOut, type ActPlace, ControlError, waits } from "../api/control.ts";
import { isProduction, mayCall } from "../api/host.ts";
import { useControl } from "../api/resource.ts";
import { Button } from "../design/inputs.tsx";
import { Panel } from "../design/page.tsx";
import { Notice } from "../design/states.tsx";
import { When } from "../design/time.tsx";
import { acts } from "../texts/acts.ts";
import { forms } from "../texts/operations/forms.ts";
import { ActDialog, type FilledForm } from "./act-dialog.tsx";
import { actHref, meaningOf } from "./act-parts.tsx";
import type { ActForm } from "./form.ts";
import { withReference } from "./references.ts";

/** `act`: the one that waits for its approval; undefined: nothing waits. */
interface Outcome {
  readonly action: string;
  readonly act: ActPlace | undefined;
  readonly isAtOnce: boolean;
}

interface ActFormsProps {
  readonly forms: readonly ActForm[];
  /** Title of a panel of their own; absent: they stand in the one around them. */
  readonly title?: string;
  /** True: the page itself says beside them what waits. */
  readonly isToldBeside?: boolean;
}

/** Forms of calls that the session's roles make; nothing where there is none, and nothing was done here. */
export function ActForms({ forms: all, title, isToldBeside = false }: ActFormsProps) {
  const texts = forms();
  const [open, setOpen] = useState<ActForm>();
  const { run, isRunning, error, result, forget } = useAction(async (form: ActForm, filled: FilledForm) => {
    const asPolled = all.find(({ route, action }) => route === form.route && action === form.action);
    if (asPolled?.seen !== form.seen) throw new ControlError(409, "changed", texts.changedSince);
    const outcome = await propose(form, filled);
    setOpen((now) => (now === form ? undefined : now));
    return outcome;
  });
  const shown = all.filter(({ route }) => mayCall(route));
  // The record may leave no form while one is open.
  if (shown.length === 0 && !result && !open) return null;
  const choose = (form: ActForm): void => {
    forget();
    setOpen(form);
  };
  const parts = (
    <div class="stack-tight">
      {shown.length > 0 && (
        <div class="row">
          {shown.map((form) => (
            <Button
              key={form.action}
              {...(form.isGrave === true && { kind: "danger" as const })}
              {...(form.label !== undefined && { label: form.label })}
              onClick={() => choose(form)}
            >
              {form.action}
            </Button>
          ))}
        </div>
      )}
      {result && !(isToldBeside && result.act !== undefined) && <Told outcome={result} />}
      {open && (
        <ActDialog
          form={open}
          isRunning={isRunning}
          error={error}
          onSubmit={(filled) => run(open, filled)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
  return title === undefined ? parts : <Panel title={title}>{parts}</Panel>;
}

/** @throws ControlError of one that was rejected */
async function propose(form: ActForm, { values, words }: FilledForm): Promise<Outcome> {
  const { action, callOf } = form;
  try {
    const answer = await withReference(form, values, (reference) => carryOut(callOf(values, words, reference)));
    const { actId, cell } = (answer ?? {}) as Partial<ActPlace>;
    return { action, act: actId === undefined ? undefined : { actId, cell }, isAtOnce: form.isAtOnce === true };
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== waits) throw error;
    return { action, act: error.act, isAtOnce: false };
  }
}

function Told({ outcome: { action, act, isAtOnce } }: { readonly outcome: Outcome }) {
  const texts = forms();
  if (act !== undefined) return <Waiting action={action} act={act} isAtOnce={isAtOnce} />;
  // In production that is an act that waits.
  if (isAtOnce && isProduction()) return <Notice>{texts.already(action)}</Notice>;
  return <Notice tone="good">{texts.done(action)}</Notice>;
}

const everyMs = 4_000;

/** The act until somebody decides on it, and what became of it then. */
function Waiting({ action, act, isAtOnce }: Omit<Outcome, "act"> & { readonly act: ActPlace }) {
  const texts = forms();
  const asked = call("GET /acts/{actId}", { params: { actId: act.actId } });
  const { data } = useControl(inCell(asked, act.cell?.toString()), everyMs);
  const isOpen = data === undefined || data.state === "proposed";
  const isInForce = isAtOnce && (isOpen || data.state === "approved" || data.state === "done");
  const headline = isInForce ? texts.inForce(action) : isOpen ? texts.proposed(action) : `${action}:`;
  return (
    <Notice tone={isAtOnce && isOpen ? "warn" : "info"}>
      <strong>{headline}</strong> {!isOpen && meaningOf(data)} {isOpen && !isAtOnce && texts.nothingYet}{" "}
      {data && isOpen && (
        <>
          {isAtOnce ? texts.approvedOrEnded : texts.decided} <When at={data.expiresAt} kind="minute" />.
        </>
      )}{" "}
      <a href={actHref(act)}>{acts().show}</a>
    </Notice>
  );
}
