/** The first page: what there is, by task. */
import type { CardEntry } from "../blocks/block.ts";
import { groupNotes, groupTitles } from "../frame/texts.ts";
import type { Language } from "../languages.ts";
import { addressOf, groupNames, type GroupName, type Section, type SitePage } from "../site.ts";

const introduction = {
  en: [
    "Payments and transfers by Indonesia's SNAP BI interface. Every operation is an HTTP POST of one JSON object, and every response carries `responseCode` and `responseMessage`.",
    "Lengths count Unicode code points. An optional text of white space alone, or null, counts as absent. Unknown members are ignored.",
  ],
  id: [
    "Pembayaran dan transfer dengan antarmuka SNAP BI Indonesia. Setiap operasi adalah HTTP POST berisi satu objek JSON, dan setiap respons memuat `responseCode` dan `responseMessage`.",
    "Panjang dihitung dalam code point Unicode. Teks opsional yang hanya berisi spasi, atau null, dianggap tidak ada. Anggota yang tidak dikenal diabaikan.",
  ],
} as const;

/** Control calls of each noun stand on a page of their own. */
const isListed = ({ path }: SitePage): boolean => !/^control\/./.test(path);

export function indexPage(pages: readonly SitePage[]): SitePage {
  return {
    path: "",
    title: { en: "Payments and transfers", id: "Pembayaran dan transfer" },
    note: { en: "All operations and guides, by task", id: "Semua operasi dan panduan, menurut tugas" },
    group: undefined,
    sections: (language) => [
      { blocks: [{ kind: "prose", markdown: introduction[language].join("\n\n") }] },
      ...groupNames.flatMap((group) => groupSection(group, pages, language)),
    ],
  };
}

function groupSection(group: GroupName, pages: readonly SitePage[], language: Language): readonly Section[] {
  const own = pages.filter((page) => page.group === group && isListed(page));
  if (own.length === 0) return [];
  const entries = own.map(
    ({ path, title, note, badge }): CardEntry => ({
      href: addressOf(path, language),
      title: title[language],
      note: note[language],
      badge,
    }),
  );
  return [
    {
      heading: { id: group, text: groupTitles[group][language] },
      blocks: [
        { kind: "prose", markdown: groupNotes[group][language] },
        { kind: "cards", entries },
      ],
    },
  ];
}
