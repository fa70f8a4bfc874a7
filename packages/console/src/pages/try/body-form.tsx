/** A request's body as a form, from the fields of the contract. An empty input is a field that is not sent. */
import type { FieldView } from "@titian/sandbox/types";
import { useState } from "preact/hooks";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { tryIt } from "../../texts/try.ts";
import { JsonField } from "./json-field.tsx";

export type Values = Readonly<Record<string, unknown>>;

interface BodyFormProps {
  readonly fields: readonly FieldView[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}

export function BodyForm({ fields, values, onChange }: BodyFormProps) {
  const first = fields.filter(({ presence }) => presence === "mandatory");
  const others = fields.filter(({ presence }) => presence !== "mandatory");
  // As it was at first: an input that is emptied does not fold away.
  const [isOpen] = useState(() => others.some(({ name }) => values[name] !== undefined));
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...rest } = values;
    onChange(value === undefined ? rest : inOrder(fields, { ...rest, [name]: value }));
  };
  const input = (field: FieldView) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name]}
      onChange={(value) => set(field.name, value)}
    />
  );
  return (
    <div class="stack-tight">
      {first.map(input)}
      {others.length > 0 && (
        <details class="more-fields" open={isOpen}>
          <summary>{tryIt().moreFields(others.length)}</summary>
          <div class="stack-tight">{others.map(input)}</div>
        </details>
      )}
    </div>
  );
}

/** The body's members in the order of the contract; unknown ones last. */
function inOrder(fields: readonly FieldView[], values: Values): Values {
  const names = fields.map(({ name }) => name).filter((name) => name in values);
  const known = Object.fromEntries(names.map((name) => [name, values[name]]));
  return { ...known, ...values };
}

interface FieldInputProps {
  readonly field: FieldView;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

function FieldInput(props: FieldInputProps) {
  switch (props.field.kind) {
    case "text":
      return <TextInput {...props} />;
    case "money":
      return <MoneyInput {...props} />;
    case "list":
      return <ListInput {...props} />;
    case "json":
      return <JsonField {...props} label={labelOf(props.field)} />;
  }
}

function labelOf({ name, presence }: FieldView) {
  const texts = tryIt();
  return (
    <>
      <span class="mono">{name}</span>
      {presence !== "optional" && (
        <span class="muted small"> {presence === "mandatory" ? texts.mandatory : texts.conditional}</span>
      )}
    </>
  );
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

function TextInput({ field, value, onChange }: FieldInputProps) {
  const { options, maxLength, description } = field;
  const set = (text: string): void => onChange(text === "" ? undefined : text);
  if (options) {
    const choices = [
      { value: "", label: `– ${tryIt().notSent} –` },
      ...options.map((one) => ({ value: one, label: one })),
    ];
    return (
      <SelectField label={labelOf(field)} hint={description} value={asText(value)} onChange={set} options={choices} />
    );
  }
  return (
    <TextField
      label={labelOf(field)}
      hint={maxLength === undefined ? description : `${description} ${tryIt().upTo(maxLength)}`}
      value={asText(value)}
      onInput={set}
      isCode
      {...(maxLength !== undefined && { maxLength })}
    />
  );
}

function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

function MoneyInput({ field, value, onChange }: FieldInputProps) {
  const { value: amount, currency } = membersOf(value);
  const set = (members: { readonly value: string; readonly currency: string }): void => {
    const isEmpty = members.value === "" && (members.currency === "" || members.currency === "IDR");
    onChange(isEmpty ? undefined : members);
  };
  const [text, code] = [asText(amount), asText(currency)];
  return (
    <fieldset class="money-field">
      <TextField
        label={labelOf(field)}
        hint={field.description}
        value={text}
        onInput={(next) => set({ value: next, currency: code || "IDR" })}
        isCode
      />
      <TextField
        label={tryIt().currency}
        value={code}
        onInput={(next) => set({ value: text, currency: next })}
        maxLength={3}
        isCode
      />
    </fieldset>
  );
}

function ListInput({ field, value, onChange }: FieldInputProps) {
  const texts = tryIt();
  const { fields = [], maxItems = Infinity, description } = field;
  const entries = Array.isArray(value) ? value.map(membersOf) : [];
  const set = (next: readonly Values[]): void => onChange(next.length === 0 ? undefined : next);
  return (
    <fieldset class="field">
      <legend>{labelOf(field)}</legend>
      <span class="hint">{description}</span>
      {entries.map((entry, position) => (
        <div key={position} class="entry">
          <div class="row entry-head">
            <strong>{texts.entry(position + 1)}</strong>
            <Button
              kind="quiet"
              label={`${texts.remove} ${position + 1}`}
              onClick={() => set(entries.filter((_, at) => at !== position))}
            >
              {texts.remove}
            </Button>
          </div>
          <BodyForm fields={fields} values={entry} onChange={(next) => set(entries.with(position, next))} />
        </div>
      ))}
      {entries.length < maxItems && (
        <div>
          <Button label={`${texts.add} ${field.name}`} onClick={() => set([...entries, entries.at(-1) ?? {}])}>
            {texts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
