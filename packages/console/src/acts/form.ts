/** Form of an operator's act: what it asks for, what it changes, and the call that proposes it. Each kind is one row of a table beside. */
import type { Call, Route } from "../api/call.ts";

export interface FormField {
  /** Member of the call's body, so that an error of the service stands beside the field that it is about. */
  readonly name: string;
  readonly label: string;
  /** `amount`: as people write it; its value is a decimal text. `number`: of any decimals. `lines`: several of text. */
  readonly kind: "text" | "lines" | "amount" | "count" | "number" | "choice";
  readonly hint?: string;
  readonly initial?: string;
  /** True: it may stay empty. */
  readonly isOptional?: boolean;
  readonly maxLength?: number;
  /** Values of a choice. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

/** Values of the fields by their names; an amount that is none is empty. */
export type FormValues = Readonly<Record<string, string>>;

/** Words about the act, for whoever approves it. */
export interface FormWords {
  readonly reason?: string;
  readonly ticket?: string;
}

export interface FormChange {
  /** Member of the record, for people. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface ActForm {
  /** The call that it makes: who may not make it sees no form. */
  readonly route: Route;
  /** Name of the act, on its button. */
  readonly action: string;
  /** Name of the button for a screen reader, where several have the same action. */
  readonly label?: string;
  /** With the record that it is on. */
  readonly title: string;
  /** Sentences on what comes of it. */
  readonly means: string;
  /** True: it takes something away. */
  readonly isGrave?: boolean;
  /** True: it is done with its proposal, and approved later. */
  readonly isAtOnce?: boolean;
  /** False: the call takes no ticket. */
  readonly hasTicket?: boolean;
  readonly fields: readonly FormField[];
  /** Members of the record that the call writes back as they were; where they are others by now, nothing is sent. */
  readonly seen?: string;
  /** Members that would be another. Empty: nothing would. */
  readonly changes: (given: FormValues) => readonly FormChange[];
  /** `reference`: the same again for the same values, until an answer has come. */
  readonly callOf: (given: FormValues, words: FormWords, reference: string) => Call<unknown>;
}

/** The values that a call leaves out where they are empty. */
export function filled<Name extends string>(given: FormValues, ...names: readonly Name[]): { [Key in Name]?: string } {
  const shown = names.filter((name) => (given[name] ?? "") !== "");
  return Object.fromEntries(shown.map((name) => [name, given[name]])) as { [Key in Name]?: string };
}

/** Changes without those that change nothing. */
export function differing(changes: readonly FormChange[]): readonly FormChange[] {
  return changes.filter(({ before, after }) => before !== after);
}
