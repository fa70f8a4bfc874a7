/** Both languages of one part of the pages, side by side: a text that one of them lacks is a type error. */
import { language } from "../preferences.ts";

export function define<Texts extends object>(both: { readonly en: Texts; readonly id: NoInfer<Texts> }): () => Texts {
  return () => both[language.value];
}
