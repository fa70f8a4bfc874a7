/** Why a call was refused: the diagnosis, and what it rests on. */
import type { Refusal } from "../../api/types.ts";
import { Code } from "../../design/code.tsx";
import { Facts } from "../../design/facts.tsx";
import { Panel } from "../../design/page.tsx";
import { When } from "../../design/time.tsx";
import { calls as callTexts } from "../../texts/calls.ts";
import { sentenceOf } from "./calls-table.tsx";

export function RefusalPanel({ refusal }: { readonly refusal: Refusal }) {
  const texts = callTexts();
  const { step, diagnosis, differsAt, stringToSign, bodyHash, minifiedBodyHash, clockDifferenceMs } = refusal;
  return (
    <Panel title={texts.whyRefused}>
      <div class="stack">
        <div class="diagnosis">
          <p class="diagnosis-sentence">{sentenceOf(diagnosis)}</p>
          <p class="muted small">
            {step !== undefined && `${texts.step(step)} ${texts.steps[step - 1] ?? ""}`}
            {` · ${diagnosis.part}`}
          </p>
        </div>
        {differsAt && <DifferencePair difference={differsAt} />}
        {stringToSign !== undefined && (
          <div class="stack-tight">
            <h3>{texts.stringToSign}</h3>
            <Code text={stringToSign} label={texts.stringToSign} isWrapped />
          </div>
        )}
        <Facts
          facts={[
            [texts.ourClock, refusal.ourClock && <When at={refusal.ourClock} />],
            [texts.difference, clockDifferenceMs !== undefined && texts.seconds(clockDifferenceMs / 1_000)],
            [texts.bodyHash, bodyHash && <span class="number">{bodyHash}</span>],
            [texts.minifiedBodyHash, minifiedBodyHash && <span class="number">{minifiedBodyHash}</span>],
          ]}
        />
      </div>
    </Panel>
  );
}

/** Ours above theirs, from the first different character on marked. */
function DifferencePair({ difference }: { readonly difference: NonNullable<Refusal["differsAt"]> }) {
  const texts = callTexts();
  const { index, ours, theirs } = difference;
  const at = firstDifference(ours, theirs);
  return (
    <div class="stack-tight">
      <h3>{texts.differsAt(index + 1)}</h3>
      <dl class="difference">
        <dt>{texts.expected}</dt>
        <dd>
          <Marked text={ours} at={at} />
        </dd>
        <dt>{texts.signed}</dt>
        <dd>
          <Marked text={theirs} at={at} />
        </dd>
      </dl>
    </div>
  );
}

function Marked({ text, at }: { readonly text: string; readonly at: number }) {
  const character = text.slice(at, at + 1);
  return (
    <code>
      {text.slice(0, at)}
      <mark>{character === "" ? callTexts().nothing : character}</mark>
      {text.slice(at + 1)}
    </code>
  );
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
