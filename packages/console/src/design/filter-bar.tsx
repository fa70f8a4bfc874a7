/** Conditions of a list: folded on a phone, and open where one is set. */
import { useId, useState } from "preact/hooks";
import { lists } from "../texts/lists.ts";
import { Button, SelectField } from "./inputs.tsx";

/** Member of the list's query. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: "choice" | "day" | "amount";
  /** Values of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
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
  const active = fields.filter(({ name }) => values[name] !== undefined);
  // As it was at first: what is being filled does not fold away.
  const [isOpen] = useState(() => active.length > 0 || matchMedia(roomFor).matches);
  const clear = (): void => onChange(Object.fromEntries(fields.map(({ name }) => [name, undefined])));
  return (
    <details class="filters" open={isOpen}>
      <summary>
        {texts.filter}
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

/** As the search reads it: `100.000`, `Rp 100,000.00` and `100.000,00` are 100000. */
function plainAmount(text: string): string {
  const plain = text.trim().replace(/^(?:rp\.?|idr)\s*/i, "");
  const [, whole = "", decimals] = /^(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (whole === "") return plain;
  const digits = whole.replaceAll(/[.,]/g, "");
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}

interface FilterInputProps {
  readonly field: FilterField;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FilterInput({ field, value, onChange }: FilterInputProps) {
  const { label, kind, options = [] } = field;
  const id = useId();
  const texts = lists();
  if (kind === "choice") {
    const all = [{ value: "", label: texts.any }, ...options];
    return <SelectField label={label} value={value} onChange={onChange} options={all} />;
  }
  // Not at each key: an amount is none while it is typed.
  const input = {
    id,
    value,
    class: "input",
    autocomplete: "off",
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onChange(kind === "amount" ? plainAmount(currentTarget.value) : currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === "day" ? (
        <input {...input} type="date" title={texts.dayHint} />
      ) : (
        <input {...input} type="text" inputMode="decimal" placeholder={texts.amountPlaceholder} />
      )}
    </div>
  );
}
