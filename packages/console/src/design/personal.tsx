/** Personal data that the service has masked, and its unmasking. */
import { useAction } from "../api/action.ts";
import { call } from "../api/call.ts";
import { act } from "../api/control.ts";
import { isProduction, may } from "../api/host.ts";
import { acts, personal } from "../texts/acts.ts";
import { useConfirm } from "./confirm.tsx";
import { Button } from "./inputs.tsx";
import { Panel } from "./page.tsx";
import { ErrorNotice } from "./states.tsx";

/** As the service masks. */
const mask = "••••";

export const isMasked = (text: string): boolean => text.includes(mask);

interface UnmaskProps {
  /** Number of the record, as it stands in the paths of its calls. */
  readonly number: string;
  /** The record as it was answered. */
  readonly shown: unknown;
}

/** Nothing where nothing is masked. */
export function Unmask({ number, shown }: UnmaskProps) {
  const texts = personal();
  const { run, isRunning, error } = useAction((reason: string) =>
    act(call("POST /records/{number}/unmask", { params: { number }, body: { reason } })),
  );
  const { ask, dialog } = useConfirm();
  if (!isProduction() || !isMasked(JSON.stringify(shown))) return null;
  const askWhy = () =>
    ask({
      title: texts.unmask,
      text: texts.unmaskText,
      action: texts.unmask,
      reason: { label: acts().why, missing: acts().whyMissing },
      onConfirm: run,
    });
  return (
    <Panel
      title={texts.masked}
      lead={may("support", "operator", "approver") ? texts.maskedLead : texts.maskedForRole}
      actions={
        may("support", "operator", "approver") && (
          <Button isBusy={isRunning} onClick={askWhy}>
            {texts.unmask}
          </Button>
        )
      }
    >
      {error && <ErrorNotice error={error} />}
      {dialog}
    </Panel>
  );
}
