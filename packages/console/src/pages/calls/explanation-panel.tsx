/** Diagnosis of a rejected call, or else how its signature was verified, and what it rests on. */
import type { CallDetails } from "@titian/control/types";
import { Code } from "../../design/code.tsx";
import { Facts } from "../../design/facts.tsx";
import { Panel } from "../../design/page.tsx";
import { secondsText, When } from "../../design/time.tsx";
import { calls as callTexts } from "../../texts/calls.ts";
import { sentenceOf } from "../../texts/sentence.ts";

export function ExplanationPanel({ call }: { readonly call: CallDetails }) {
  const texts = callTexts();
  const { isRefused, diagnosis, differsAt, stringToSign, bodyHash, minifiedBodyHash, clockDifferenceMs } = call;
  if (!isRefused && stringToSign === undefined) return null;
  return (
    <Panel title={isRefused ? texts.whyRefused : texts.signature}>
      <div class="stack">
        {isRefused && (
          <div class="diagnosis">
            <p class="diagnosis-sentence">{diagnosis ? sentenceOf(diagnosis) : texts.noDiagnosis}</p>
            <p class="small">{factsOf(call)}</p>
          </div>
        )}
        {differsAt && <DifferencePair difference={differsAt} />}
        {stringToSign !== undefined && (
          <div class="stack-tight">
            <h3>{texts.stringToSign}</h3>
            <Code text={stringToSign} label={texts.stringToSign} isWrapped />
          </div>
        )}
        <Facts
          facts={[
            [texts.ourClock, call.ourClock && <When at={call.ourClock} />],
            [texts.difference, clockDifferenceMs !== undefined && texts.seconds(secondsText(clockDifferenceMs))],
            [texts.bodyHash, bodyHash && <span class="number">{bodyHash}</span>],
            [texts.minifiedBodyHash, minifiedBodyHash && <span class="number">{minifiedBodyHash}</span>],
          ]}
        />
      </div>
    </Panel>
  );
}

/** The step that refused it, and what it is about. */
function factsOf({ step, diagnosis }: CallDetails): string {
  const texts = callTexts();
  const check = step === undefined ? "" : (texts.steps[step - 1] ?? "");
  const name = step !== undefined && `${texts.step(step)} ${check}`;
  return [name, diagnosis?.part !== check && diagnosis?.part].filter(Boolean).join(" · ");
}

/** Ours above theirs, from the first different character on marked. */
function DifferencePair({ difference }: { readonly difference: NonNullable<CallDetails["differsAt"]> }) {
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
