/** The page of a document of the repository, with its contents beside it. */
import { headingsOf } from "../documents/headings.ts";
import { readDocument } from "../documents/read-document.ts";
import type { ShownDocument } from "../documents/documents.ts";
import { texts } from "../frame/texts.ts";
import type { SitePage } from "../site.ts";

export function documentPage({ file, path, title, note, group }: ShownDocument): SitePage {
  return {
    path,
    title,
    note,
    group,
    isEnglish: true,
    sections: (language) => {
      const markdown = readDocument(file);
      const entries = headingsOf(markdown).filter(({ depth }) => depth === 2);
      return [
        {
          blocks: [{ kind: "document", markdown, path: file }],
          aside: [{ kind: "contents", title: texts.onThisPage[language], entries }],
        },
      ];
    },
  };
}
