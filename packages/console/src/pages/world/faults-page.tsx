/** Faults on purpose: what a partner's next calls meet. */
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { act } from "../../api/control.ts";
import { useControl } from "../../api/resource.ts";
import type { OperationsAnswer, PartnersAnswer } from "../../api/types.ts";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Notice, Skeleton } from "../../design/states.tsx";
import { faultNames, faults, type FaultName } from "../../texts/faults.ts";
import { shell } from "../../texts/shell.ts";

export function FaultsPage() {
  const { data } = useControl<PartnersAnswer>("/partners");
  const [chosen, setChosen] = useState<string>();
  const partnerId = chosen ?? data?.partners[0]?.partnerId;
  return (
    <Page title={shell().faults} lead={faults().lead}>
      {!data && <Skeleton lines={5} />}
      {data && partnerId !== undefined && (
        <FaultForm
          partnerId={partnerId}
          partnerIds={data.partners.map((partner) => partner.partnerId)}
          onChoose={setChosen}
        />
      )}
    </Page>
  );
}

interface FaultFormProps {
  readonly partnerId: string;
  readonly partnerIds: readonly string[];
  readonly onChoose: (partnerId: string) => void;
}

function FaultForm({ partnerId, partnerIds, onChoose }: FaultFormProps) {
  const texts = faults();
  const { data: operations } = useControl<OperationsAnswer>("/operations");
  const [fault, setFault] = useState<FaultName>("loseAnswer");
  const [next, setNext] = useState("1");
  const [delayMs, setDelayMs] = useState("3000");
  const [operation, setOperation] = useState("");
  const path = `/partners/${encodeURIComponent(partnerId)}/faults`;
  const set = useAction(async () => {
    const more = { ...(fault === "delay" && { delayMs: Number(delayMs) }), ...(operation !== "" && { operation }) };
    await act(path, { body: { fault, next: Number(next), ...more } });
    return true;
  });
  const clear = useAction(async () => {
    await act(path, { method: "DELETE" });
    return true;
  });
  const submit = (event: Event): void => {
    event.preventDefault();
    set.run();
  };
  const error = set.error ?? clear.error;
  return (
    <Panel>
      <form class="stack-tight" onSubmit={submit}>
        <div class="columns">
          <SelectField
            label={texts.partner}
            value={partnerId}
            onChange={onChoose}
            options={partnerIds.map((id) => ({ value: id, label: id }))}
          />
          <SelectField
            label={texts.fault}
            hint={texts.meanings[fault]}
            value={fault}
            onChange={setFault}
            options={faultNames.map((name) => ({ value: name, label: texts.names[name] }))}
          />
          <TextField label={texts.next} type="number" min={1} value={next} onInput={setNext} isRequired />
          {fault === "delay" && (
            <TextField label={texts.delay} type="number" min={0} value={delayMs} onInput={setDelayMs} isRequired />
          )}
          <SelectField
            label={texts.operation}
            value={operation}
            onChange={setOperation}
            options={[
              { value: "", label: texts.anyOperation },
              ...(operations?.operations ?? []).map(({ name, code, title }) => ({
                value: name,
                label: `${code} ${title}`,
              })),
            ]}
          />
        </div>
        <div class="row">
          <Button type="submit" kind="primary" isBusy={set.isRunning}>
            {texts.set}
          </Button>
          <Button onClick={clear.run} isBusy={clear.isRunning}>
            {texts.clear}
          </Button>
        </div>
        {error && <Notice tone="bad">{errorText(error)}</Notice>}
        {set.result && !error && <Notice tone="good">{texts.setDone}</Notice>}
        {clear.result && !error && <Notice tone="good">{texts.cleared}</Notice>}
      </form>
    </Panel>
  );
}
