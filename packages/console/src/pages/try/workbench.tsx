/** Form, response and code of one operation for one partner. */
import type { OperationView, SampleAnswer } from "@titian/sandbox/types";
import { useEffect, useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { refresh } from "../../api/connection.ts";
import { Button, Segmented, SelectField, TextField } from "../../design/inputs.tsx";
import { Panel } from "../../design/page.tsx";
import { errorText, Notice } from "../../design/states.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { tryIt } from "../../texts/try.ts";
import { BodyForm } from "./body-form.tsx";
import { CodePanel } from "./code-panel.tsx";
import { type Draft, draftOf, sign, signReordered, useSigned } from "./draft.ts";
import { OperationHelp } from "./operation-help.tsx";
import { ResponsePanel } from "./response-panel.tsx";
import { type Mistake, send, type ServiceAnswer, spoil } from "./send.ts";

const mistakes: readonly Mistake[] = ["none", "body", "time", "signature", "token"];

interface WorkbenchProps {
  readonly operation: OperationView;
  readonly partnerId: string;
  readonly sample: SampleAnswer;
  readonly onReset: () => void;
}

export function Workbench({ operation, partnerId, sample, onReset }: WorkbenchProps) {
  const texts = tryIt();
  const [draft, setDraft] = useState<Draft>(() => draftOf(sample));
  const [mistake, setMistake] = useState<Mistake>("none");
  const [sent, setSent] = useState<Draft>();
  useEffect(() => {
    setDraft(draftOf(sample));
    setSent(undefined);
  }, [sample]);
  const signed = useSigned({ operation, partnerId }, draft, sent);
  const { run, isRunning, error, result } = useAction(async (): Promise<ServiceAnswer> => {
    const signCall = mistake === "body" ? signReordered : sign;
    const answer = await send(spoil(await signCall({ operation, partnerId }, draft), mistake));
    setSent(draft);
    refresh();
    return answer;
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    run();
  };
  const failure = error ?? signed.error;
  return (
    <div class="two-columns workbench">
      <form onSubmit={submit}>
        <Panel title={texts.request} actions={<Mode draft={draft} onChange={setDraft} />}>
          <div class="stack-tight">
            {sample.needs && <Needs operation={sample.needs.operation} partnerId={partnerId} />}
            <Body operation={operation} draft={draft} onChange={setDraft} />
            <Identity draft={draft} onChange={setDraft} />
            <SelectField
              label={texts.mistake}
              hint={texts.mistakeHint}
              value={mistake}
              onChange={setMistake}
              options={mistakes.map((name) => ({ value: name, label: texts.mistakes[name] }))}
            />
            {failure && <Notice tone="bad">{errorText(failure)}</Notice>}
            <div class="row send">
              <Button type="submit" kind="primary" isBusy={isRunning}>
                {texts.send}
              </Button>
              <Button onClick={onReset}>{texts.reset}</Button>
            </div>
          </div>
        </Panel>
      </form>
      <div class="stack">
        <ResponsePanel answer={result} />
        <OperationHelp operation={operation} />
        {signed.call && <CodePanel signed={signed.call} />}
      </div>
    </div>
  );
}

interface NeedsProps {
  readonly operation: string;
  readonly partnerId: string;
}

/** There is nothing yet that the call could be about. */
function Needs({ operation, partnerId }: NeedsProps) {
  return (
    <Notice tone="warn">
      {tryIt().needs}: <a href={hrefOf(["try", operation], { partner: partnerId })}>{operation}</a>
    </Notice>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function Mode({ draft, onChange }: DraftProps) {
  const texts = tryIt();
  const choose = (mode: "form" | "json"): void =>
    onChange({ ...draft, text: mode === "form" ? undefined : (draft.text ?? JSON.stringify(draft.values, null, 2)) });
  return (
    <Segmented
      label={texts.request}
      value={draft.text === undefined ? "form" : "json"}
      onChange={choose}
      options={[
        { value: "form", label: texts.form },
        { value: "json", label: texts.json },
      ]}
    />
  );
}

function Body({ operation, draft, onChange }: DraftProps & { readonly operation: OperationView }) {
  const texts = tryIt();
  if (draft.text === undefined) {
    return (
      <BodyForm fields={operation.fields} values={draft.values} onChange={(values) => onChange({ ...draft, values })} />
    );
  }
  return (
    <div class="field">
      <label for="body-text">{texts.json}</label>
      <textarea
        id="body-text"
        class="input mono"
        rows={18}
        spellcheck={false}
        value={draft.text}
        aria-describedby="body-text-hint"
        onInput={({ currentTarget }) => onChange({ ...draft, text: currentTarget.value })}
      />
      <span id="body-text-hint" class="hint">
        {texts.jsonHint}
      </span>
    </div>
  );
}

function Identity({ draft, onChange }: DraftProps) {
  const texts = tryIt();
  return (
    <details class="more-fields">
      <summary>{`${common().externalId}, ${texts.customerToken}`}</summary>
      <div class="stack-tight">
        <TextField
          label={common().externalId}
          hint={texts.externalIdHint}
          value={draft.externalId}
          onInput={(externalId) => onChange({ ...draft, externalId })}
          maxLength={36}
          isCode
        />
        <TextField
          label={texts.customerToken}
          hint={texts.customerTokenHint}
          value={draft.customerToken}
          onInput={(customerToken) => onChange({ ...draft, customerToken })}
          isCode
        />
      </div>
    </details>
  );
}
