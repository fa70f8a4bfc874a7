/** The form of one act, in a dialog: its fields, before and after, the reason, and who approves it. */
import { readWrittenAmount } from "@titian/contract/written-amounts";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ControlError } from "../api/control.ts";
import { isProduction } from "../api/host.ts";
import { Button, SelectField, TextArea, TextField } from "../design/inputs.tsx";
import { errorText, Notice } from "../design/states.tsx";
import { Table } from "../design/table.tsx";
import { acts } from "../texts/acts.ts";
import { common } from "../texts/common.ts";
import { forms } from "../texts/operations/forms.ts";
import { actHref } from "./act-parts.tsx";
import type { ActForm, FormChange, FormField, FormValues, FormWords } from "./form.ts";

/** A form as it is sent. */
export interface FilledForm {
  readonly values: FormValues;
  readonly words: FormWords;
}

interface ActDialogProps {
  readonly form: ActForm;
  readonly isRunning: boolean;
  readonly error: ControlError | undefined;
  readonly onSubmit: (filled: FilledForm) => void;
  readonly onClose: () => void;
}

/** A modal dialog keeps the focus, gives it back, and is closed by Escape. */
export function ActDialog({ form, isRunning, error, onSubmit, onClose }: ActDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { typed, values, faults, change, check } = useFilling(form);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  const texts = forms();
  const words = wordFields().filter(({ name }) => name !== "ticket" || form.hasTicket !== false);
  const isOfField = [...form.fields, ...words].some(({ name }) => name === error?.field);
  const input = (field: FormField) => (
    <Input
      key={field.name}
      field={field}
      text={typed[field.name] ?? ""}
      fault={faults[field.name] ?? (error?.field === field.name ? error.message : undefined)}
      onInput={change(field.name)}
    />
  );
  // Its answer is told here: the dialog stays while the call runs. Escape twice closes it without a cancel event.
  const keep = (event: Event): void => {
    if (isRunning) event.preventDefault();
  };
  const close = (): void => {
    if (isRunning) dialog.current?.showModal();
    else onClose();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isRunning) return;
    const found = check();
    if (typeof found === "string") focusField(dialog.current, found);
    else onSubmit(found);
  };
  return (
    <dialog
      ref={dialog}
      class="confirm act-form"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={keep}
      onClose={close}
    >
      <form class="stack-tight" onSubmit={submit} noValidate>
        <h2 id={`${id}-title`}>{form.title}</h2>
        <p id={`${id}-text`}>{form.means}</p>
        {form.fields.map(input)}
        <Changes changes={form.changes(values)} />
        {words.map(input)}
        <p class="muted small">{approvalOf(form)}</p>
        {faults[nothing] !== undefined && <Notice tone="warn">{faults[nothing]}</Notice>}
        {error && !isOfField && <Rejected error={error} />}
        <div class="row confirm-acts">
          <button type="button" class="button" disabled={isRunning} onClick={() => dialog.current?.close()}>
            {common().cancel}
          </button>
          <Button type="submit" kind={form.isGrave === true ? "danger" : "primary"} isBusy={isRunning}>
            {isProduction() && form.isAtOnce !== true ? texts.propose : form.action}
          </Button>
        </div>
      </form>
    </dialog>
  );
}

interface Filling {
  readonly typed: FormValues;
  readonly values: FormValues;
  readonly faults: FormValues;
  readonly change: (name: string) => (text: string) => void;
  /** The form as it is sent, or the name of the first field with a fault. */
  readonly check: () => FilledForm | string;
}

function useFilling(form: ActForm): Filling {
  const [typed, setTyped] = useState(() => startOf(form));
  const [faults, setFaults] = useState<FormValues>({});
  const values = valuesOf(form, typed);
  const change = (name: string) => (text: string) => {
    setTyped((old) => ({ ...old, [name]: text }));
    setFaults(({ [name]: _, [nothing]: _none, ...others }) => others);
  };
  const check = (): FilledForm | string => {
    const found = faultsOf(form, typed, values);
    setFaults(found);
    return Object.keys(found)[0] ?? { values, words: wordsOf(typed) };
  };
  return { typed, values, faults, change, check };
}

/** The sentence of a call that was not carried out, with the act that it is about. */
function Rejected({ error }: { readonly error: ControlError }) {
  const { act } = error;
  return (
    <Notice tone="bad">
      {errorText(error)} {act !== undefined && <a href={actHref(act)}>{acts().show}</a>}
    </Notice>
  );
}

/** The reason is mandatory where operators are in charge. */
const wordFields = (): readonly FormField[] => [
  {
    name: "reason",
    label: isProduction() ? acts().why : acts().whyOptional,
    kind: "text",
    maxLength: 500,
  },
  { name: "ticket", label: forms().ticketOptional, kind: "text", maxLength: 100 },
];

interface InputProps {
  readonly field: FormField;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onInput: (text: string) => void;
}

function Input({
  field: { name, label, kind, hint, options = [], isOptional, maxLength },
  text,
  fault,
  onInput,
}: InputProps) {
  const shown = isOptional === true ? forms().optional(label) : label;
  return (
    <div data-field={name}>
      {kind === "lines" && <TextArea label={shown} hint={hint} fault={fault} value={text} onInput={onInput} />}
      {kind === "choice" && (
        <SelectField label={shown} hint={hint} fault={fault} value={text} onChange={onInput} options={options} />
      )}
      {kind !== "choice" && kind !== "lines" && (
        <TextField
          label={shown}
          hint={hint}
          fault={fault}
          value={text}
          onInput={onInput}
          isCode={kind !== "text"}
          maxLength={maxLength ?? 200}
        />
      )}
    </div>
  );
}

function Changes({ changes }: { readonly changes: readonly FormChange[] }) {
  const texts = forms();
  if (changes.length === 0) return null;
  return (
    <Table
      caption={texts.beforeAfter}
      layout="table"
      rows={changes}
      keyOf={({ name }) => name}
      columns={[
        { head: texts.member, cell: ({ name }) => name },
        { head: texts.before, cell: ({ before }) => before },
        { head: texts.after, cell: ({ after }) => <strong>{after}</strong> },
      ]}
    />
  );
}

function approvalOf({ isAtOnce = false }: ActForm): string {
  const texts = forms();
  if (!isProduction()) return texts.sandboxApproves;
  return isAtOnce ? texts.approvedAfterwards : texts.approvedBefore;
}

const startOf = ({ fields }: ActForm): FormValues =>
  Object.fromEntries(fields.map(({ name, initial, options }) => [name, initial ?? options?.[0]?.value ?? ""]));

function valuesOf({ fields }: ActForm, typed: FormValues): FormValues {
  const valueOf = ({ name, kind }: FormField): string => {
    const text = (typed[name] ?? "").trim();
    return kind === "amount" ? (readWrittenAmount(text) ?? "") : text;
  };
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
}

/** Fault of no field. */
const nothing = "";

/** By field, in their order. */
function faultsOf({ fields, changes }: ActForm, typed: FormValues, values: FormValues): FormValues {
  const texts = forms();
  const found: Record<string, string> = {};
  for (const { name, kind, isOptional = false } of fields) {
    if ((typed[name] ?? "").trim() === "") {
      if (!isOptional) found[name] = texts.missing;
    } else if (kind === "amount" && values[name] === "") found[name] = texts.noAmount;
    else if (kind === "number" && !/^\d{1,9}(\.\d{1,3})?$/.test(values[name] ?? "")) found[name] = texts.noNumber;
    else if (kind === "count" && !/^\d{1,9}$/.test(values[name] ?? "")) found[name] = texts.noCount;
  }
  if (isProduction() && (typed["reason"] ?? "").trim() === "") found["reason"] = acts().whyMissing;
  if (Object.keys(found).length === 0 && changes(values).length === 0) found[nothing] = texts.nothingChanges;
  return found;
}

function wordsOf(typed: FormValues): FormWords {
  const words = ["reason", "ticket"].map((name) => [name, (typed[name] ?? "").trim()] as const);
  return Object.fromEntries(words.filter(([, text]) => text !== ""));
}

function focusField(within: HTMLElement | null, name: string): void {
  within?.querySelector<HTMLElement>(`[data-field="${name}"] :is(input, select, textarea)`)?.focus();
}
