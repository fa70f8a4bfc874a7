/** A field or a body of any JSON. */
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { tryIt } from "../../texts/try.ts";

interface JsonFieldProps {
  readonly label: ComponentChildren;
  readonly field: { readonly description: string };
  readonly value: unknown;
  /** Undefined: not sent. Called with whole JSON only. */
  readonly onChange: (value: unknown) => void;
}

export function JsonField({ label, field, value, onChange }: JsonFieldProps) {
  const id = useId();
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [isFaulty, setFaulty] = useState(false);
  const input = (next: string): void => {
    setText(next);
    const parsed = parse(next);
    setFaulty(!parsed);
    if (parsed) onChange(parsed.value);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input mono"
        rows={text === "" ? 1 : 4}
        spellcheck={false}
        value={text}
        aria-invalid={isFaulty}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => input(currentTarget.value)}
      />
      <span id={`${id}-hint`} class={isFaulty ? "fault" : "hint"}>
        {isFaulty ? tryIt().badJson : field.description}
      </span>
    </div>
  );
}

function parse(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
