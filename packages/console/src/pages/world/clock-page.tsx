/** The movable clock: an hour, to the next cut-off, to a date. */
import type { RailView } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { Button, TextField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice, Skeleton } from "../../design/states.tsx";
import { timeText, When } from "../../design/time.tsx";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { word } from "../../texts/words.ts";

const everyMs = 5_000;

type Move = { readonly advanceSeconds: number } | { readonly set: string };

export function ClockPage() {
  const texts = world();
  const { data, error, reload } = useControl(call("GET /clock"), everyMs);
  const { data: rails, error: unread } = useControl(call("GET /rails"), everyMs);
  const move = useAction((body: Move) => act(call("POST /clock", { body })));
  const { ask, dialog } = useConfirm();
  const moveTo = (label: string, body: Move): void =>
    ask({
      title: texts.moveTitle(label),
      text: texts.moveText,
      action: texts.moveAction,
      onConfirm: () => move.run(body),
    });
  const setTo = (set: string): void => moveTo(`${timeText(set, "minute")} WIB`, { set });
  return (
    <Page title={shell().clock} lead={texts.clockLead}>
      <Panel>
        {error && !data && <Failure error={error} onRetry={reload} />}
        {!error && !data && <Skeleton lines={2} />}
        {data && (
          <>
            <div class="headline">{timeText(data.now)} WIB</div>
            <p class="muted">{timeText(data.now, "day")}</p>
            {data.pending > 0 && <Notice>{texts.pending(data.pending)}</Notice>}
          </>
        )}
      </Panel>
      <Panel title={texts.move}>
        <div class="stack">
          <div class="row">
            <Button isBusy={move.isRunning} onClick={() => moveTo(texts.hour, { advanceSeconds: 3_600 })}>
              {texts.hour}
            </Button>
            <Button isBusy={move.isRunning} onClick={() => moveTo(texts.day, { advanceSeconds: 86_400 })}>
              {texts.day}
            </Button>
          </div>
          {unread && !rails && <Notice tone="bad">{errorText(unread)}</Notice>}
          {rails && <Moments rails={rails.rails} isBusy={move.isRunning} onMove={setTo} />}
          <SetClock now={data?.now} isBusy={move.isRunning} onMove={setTo} />
          {move.error && <Notice tone="bad">{errorText(move.error)}</Notice>}
          {move.result && <Notice tone="good">{texts.moved(`${timeText(move.result.now)} WIB`)}</Notice>}
        </div>
        {dialog}
      </Panel>
    </Page>
  );
}

interface MomentsProps {
  readonly rails: readonly RailView[];
  readonly isBusy: boolean;
  readonly onMove: (at: string) => void;
}

/** Next events of the rails, soonest first: cut-offs, openings, settlements. */
function Moments({ rails, isBusy, onMove }: MomentsProps) {
  const texts = world();
  const moments = rails
    .flatMap(({ rail, closesAt, opensAt, nextSettlementAt }) => {
      const name = word("rails", rail);
      return [
        { label: texts.settlement(name), at: nextSettlementAt },
        { label: texts.cutOff(name), at: closesAt },
        { label: texts.opening(name), at: opensAt },
      ];
    })
    .flatMap(({ label, at }) => (at === undefined ? [] : [{ label, at }]))
    .toSorted((one, other) => one.at.localeCompare(other.at));
  if (moments.length === 0) return null;
  return (
    <div class="stack-tight">
      <h3>{texts.nextCutOff}</h3>
      <div class="row">
        {moments.map(({ label, at }) => (
          <Button key={label} isBusy={isBusy} onClick={() => onMove(at)}>
            {label} · <When at={at} kind="minute" />
          </Button>
        ))}
      </div>
    </div>
  );
}

interface SetClockProps {
  readonly now: string | undefined;
  readonly isBusy: boolean;
  readonly onMove: (at: string) => void;
}

function SetClock({ now, isBusy, onMove }: SetClockProps) {
  const texts = world();
  const [local, setLocal] = useState<string>();
  const value = local ?? now?.slice(0, 16) ?? "";
  const isBackward = now !== undefined && value < now.slice(0, 16);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isBackward && value !== "") onMove(`${value.length === 16 ? `${value}:00` : value}+07:00`);
  };
  return (
    <form class="row-end" onSubmit={submit}>
      <TextField
        label={texts.setTo}
        type="datetime-local"
        value={value}
        onInput={setLocal}
        fault={isBackward ? texts.backward : undefined}
      />
      <Button type="submit" isBusy={isBusy}>
        {texts.move}
      </Button>
    </form>
  );
}
