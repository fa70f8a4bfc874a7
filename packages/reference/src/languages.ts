/** The two languages of the pages. */

export const languages = ["en", "id"] as const;
export type Language = (typeof languages)[number];

/** The same text in both. */
export type Text = Readonly<Record<Language, string>>;

export const isLanguage = (text: string | null | undefined): text is Language => text === "en" || text === "id";

/** The first language of an Accept-Language header that there is, by its weights; English where it names none. */
export function preferredLanguage(header: string | undefined): Language {
  const wanted = (header ?? "")
    .slice(0, 200)
    .split(",")
    .map((part) => {
      const [tag = "", weight] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/);
      return { language: tag.split("-", 1)[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .find(({ language }) => isLanguage(language));
  return wanted !== undefined && isLanguage(wanted.language) ? wanted.language : "en";
}
