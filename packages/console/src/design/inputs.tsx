/** Inputs with their labels, and buttons. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { common } from "../texts/common.ts";

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "search" | "password" | "number" | "datetime-local" | "url";
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly isRequired?: boolean;
  /** Not to be changed by the browser: numbers and codes. */
  readonly isCode?: boolean;
}

export function TextField({
  label,
  hint,
  fault,
  value,
  onInput,
  type = "text",
  isRequired,
  isCode,
  ...input
}: TextProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...input}
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- Preact's types know an input of one type at a time
        type={type as "text"}
        id={id}
        class={`input${isCode ? " mono" : ""}`}
        value={value}
        required={isRequired ?? false}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={hint} fault={fault} />
    </div>
  );
}

function Hint({ id, hint, fault }: { readonly id: string } & Pick<FieldProps, "hint" | "fault">) {
  return (
    <span id={id} class={fault === undefined ? "hint" : "fault"}>
      {fault ?? hint}
    </span>
  );
}

interface AreaProps extends FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** Several lines that the browser does not change, such as a key in PEM. */
export function TextArea({ label, hint, fault, value, onInput }: AreaProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        class="input mono"
        rows={5}
        value={value}
        spellcheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={hint} fault={fault} />
    </div>
  );
}

interface SelectProps<Value extends string> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { label, hint, fault, value, onChange, options } = props;
  const id = useId();
  const choose = (text: string): void => {
    const option = options.find((one) => one.value === text);
    if (option) onChange(option.value);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`} hint={hint} fault={fault} />
    </div>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, isChecked, onChange }: CheckboxProps) {
  return (
    <label class="row checkbox">
      <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}

interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
}

/** A few choices beside each other. */
export function Segmented<Value extends string>({ label, value, onChange, options }: SegmentedProps<Value>) {
  return (
    <div class="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

interface ButtonProps {
  readonly onClick?: () => void;
  readonly kind?: "primary" | "danger" | "quiet";
  readonly type?: "button" | "submit";
  readonly isBusy?: boolean;
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** While it is busy it keeps the focus and does nothing. */
export function Button({ onClick, kind, type = "button", isBusy = false, label, children }: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind ?? ""}`}
      aria-disabled={isBusy}
      {...(label !== undefined && { "aria-label": label })}
      onClick={() => {
        if (!isBusy) onClick?.();
      }}
    >
      {isBusy && <span class="spinner" />}
      {isBusy ? common().working : children}
    </button>
  );
}
