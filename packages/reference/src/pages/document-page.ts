/** The page of a document of the repository, with its contents beside it. */
import { headingsOf } from "../documents/headings.ts";
import { readDocument } from "../documents/read-document.ts";
import { fileIn, type ShownDocument } from "../documents/documents.ts";
import { texts } from "../frame/texts.ts";
import type { SitePage } from "../site.ts";

export function documentPage(shown: ShownDocument): SitePage {
  const { path, title, note, group } = shown;
  const isEnglish = shown.translation === undefined;
  return {
    path,
    title,
    note,
    group,
    isDocument: true,
    isEnglish,
    sections: (language) => {
      const file = fileIn(shown, language);
      const markdown = readDocument(file);
      const entries = headingsOf(markdown).filter(({ depth }) => depth === 2);
      return [
        {
          blocks: [{ kind: "document", markdown, path: file, isEnglish }],
          aside: [{ kind: "contents", title: texts.onThisPage[language], entries }],
        },
      ];
    },
  };
}
