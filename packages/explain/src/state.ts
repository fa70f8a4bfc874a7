/** Statements and diagnoses from the table of sentences. */
import type { Cause, Diagnosis, Statement, Warning } from "./report.ts";
import { type SentenceId, sentences } from "./sentences/sentences.ts";

export type Parameters = Readonly<Record<string, string>>;

/** One thing to say, before it is put in words. */
export interface Saying {
  readonly id: SentenceId;
  readonly parameters?: Parameters;
}

export function state(sayings: readonly Saying[]): Statement {
  return {
    sentence: sayings.map((saying) => inWords(saying, "en")).join(" "),
    sentenceId: sayings.map(({ id }) => id).join("+"),
    parameters: Object.assign({}, ...sayings.map(({ parameters }) => parameters)) as Parameters,
    translations: { id: sayings.map((saying) => inWords(saying, "id")).join(" ") },
  };
}

export function diagnose(cause: Cause, part: string, id: SentenceId, parameters: Parameters = {}): Diagnosis {
  return { cause, part, ...state([{ id, parameters }]) };
}

/** The diagnosis with one sentence more. */
export function withSaying(diagnosis: Diagnosis, id: SentenceId, parameters: Parameters): Diagnosis {
  const more = state([{ id, parameters }]);
  return {
    ...diagnosis,
    sentence: `${diagnosis.sentence} ${more.sentence}`,
    sentenceId: `${diagnosis.sentenceId}+${id}`,
    parameters: { ...diagnosis.parameters, ...parameters },
    translations: { id: `${diagnosis.translations.id} ${more.translations.id}` },
  };
}

export function warn(part: string, id: SentenceId, parameters: Parameters = {}): Warning {
  return { part, ...state([{ id, parameters }]) };
}

function inWords({ id, parameters = {} }: Saying, language: "en" | "id"): string {
  return sentences[id][language].replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "").trimEnd();
}
