/** Texts of the service, which it gives in each language. */
import type { Statement } from "@titian/control/types";
import type { OperationView } from "@titian/sandbox/types";
import { language } from "../preferences.ts";

/** A statement in the language of the page. */
export function sentenceOf({ sentence, translations }: Statement): string {
  return language.value === "id" ? translations.id : sentence;
}

export function titleOf({ title, titleTranslations }: Pick<OperationView, "title" | "titleTranslations">): string {
  return language.value === "id" ? titleTranslations.id : title;
}

export function descriptionOf({ description, descriptionTranslations }: OperationView): string {
  return language.value === "id" ? descriptionTranslations.id : description;
}
