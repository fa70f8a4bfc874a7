/** Statements of the service, which have a sentence in each language. */
import type { Statement } from "@titian/control/types";
import { language } from "../preferences.ts";

/** A statement in the language of the page. */
export function sentenceOf({ sentence, translations }: Statement): string {
  return language.value === "id" ? translations.id : sentence;
}
