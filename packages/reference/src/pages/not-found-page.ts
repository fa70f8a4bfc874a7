/** The page for addresses that no page has. */
import { texts } from "../frame/texts.ts";
import { addressOf, type SitePage } from "../site.ts";

const advice = {
  en: (address: string) => `Search above, or begin at the [overview](${address}).`,
  id: (address: string) => `Cari di atas, atau mulai dari [ringkasan](${address}).`,
};

export const missingPath = "404";

export function notFoundPage(): SitePage {
  return {
    // No page has it: in the other language it is this page too.
    path: missingPath,
    title: texts.notFound,
    note: texts.notFound,
    group: undefined,
    sections: (language) => [{ blocks: [{ kind: "prose", markdown: advice[language](addressOf("", language)) }] }],
  };
}
