/** Conditions of a list: folded on a phone, and open where one is set. */
import { readWrittenAmount } from "@titian/contract/written-amounts";
import { useId, useState } from "preact/hooks";
import { lists } from "../texts/lists.ts";
import { Button, SelectField } from "./inputs.tsx";

/** Member of the list's query. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: "choice" | "day" | "amount" | "text";
  /** Values of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Label of no value, of a choice that says where the list is from: it is no condition, and is not cleared with these. */
  readonly place?: string;
}

export type FilterValues = Readonly<Record<string, string | undefined>>;

interface FilterBarProps {
  readonly fields: readonly FilterField[];
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

const roomFor = "(min-width: 900px)";

export function FilterBar({ fields, values, onChange }: FilterBarProps) {
  const texts = lists();
  const chosen = fields.filter(({ name }) => values[name] !== undefined);
  const active = chosen.filter(isCondition);
  const places = chosen.filter((field) => !isCondition(field));
  // As it was at first: what is being filled does not fold away.
  const [isOpen] = useState(() => chosen.length > 0 || matchMedia(roomFor).matches);
  const clear = (): void => onChange(Object.fromEntries(active.map(({ name }) => [name, undefined])));
  return (
    <details class="filters" open={isOpen}>
      <summary>
        {texts.filter}
        {places.map(({ name, label }) => (
          <span key={name} class="muted">{` · ${label} ${values[name]}`}</span>
        ))}
        {active.length > 0 && <span class="muted"> · {texts.active(active.length)}</span>}
      </summary>
      <div class="filter-fields">
        {fields.map((field) => (
          <FilterInput
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(value) => onChange({ [field.name]: value === "" ? undefined : value })}
          />
        ))}
        {active.length > 0 && <Button onClick={clear}>{texts.clear}</Button>}
      </div>
    </details>
  );
}

const isCondition = ({ place }: FilterField): boolean => place === undefined;

interface FilterInputProps {
  readonly field: FilterField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterInput({ field, value, onChange }: FilterInputProps) {
  const { label, kind, options = [], place } = field;
  const id = useId();
  const texts = lists();
  if (kind === "choice") {
    const all = [{ value: "", label: place ?? texts.any }, ...options];
    return <SelectField label={label} value={value} onChange={onChange} options={all} />;
  }
  // Not at each key: an amount is none while it is typed.
  const input = {
    id,
    value,
    class: "input",
    autocomplete: "off",
    onChange: ({ currentTarget: { value: typed } }: { readonly currentTarget: HTMLInputElement }) =>
      onChange((kind === "amount" ? readWrittenAmount(typed) : undefined) ?? typed.trim()),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === "day" && <input {...input} type="date" title={texts.dayHint} />}
      {kind === "text" && <input {...input} type="text" spellcheck={false} />}
      {kind === "amount" && <input {...input} type="text" inputMode="decimal" placeholder={texts.amountPlaceholder} />}
    </div>
  );
}
