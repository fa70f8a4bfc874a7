/** The page of an operation: all that its row and the document say of it, and what stands beside it. */
import {
  type DescribedOperation,
  operationIn,
  type OpenApiDocument,
  type OperationRow,
  operationRows,
  operations,
  reportedBy,
} from "@titian/contract";
import type { Block, CardEntry } from "../blocks/block.ts";
import { shownDocuments } from "../documents/documents.ts";
import { texts } from "../frame/texts.ts";
import type { Language, Text } from "../languages.ts";
import { addressOf, type GroupName, type Section, type SitePage } from "../site.ts";
import { caseEntries } from "./cases.ts";
import { fieldEntries } from "./fields.ts";
import { headerEntries } from "./headers.ts";
import { signedTextSection } from "./signed-text.ts";

export const titleOf = ({ title, titleTranslations }: OperationRow): Text => ({ en: title, ...titleTranslations });

const descriptionOf = ({ description, descriptionTranslations }: OperationRow): Text => ({
  en: description,
  ...descriptionTranslations,
});

export const taskOf = ({ kind, about: { noun } }: OperationRow): GroupName => {
  if (kind === "token") return "tokens";
  if (kind === "notification") return "told";
  if (noun === "account") return "send";
  if (kind === "read") return "ask";
  return noun === "hold" || noun === "paymentRequest" ? "pay" : "send";
};

export function operationPage(row: OperationRow, document: OpenApiDocument, isSandbox: boolean): SitePage {
  const described = operationIn(document, row.name);
  const [sentence = ""] = row.description.replace(/:.*/, ".").split(/(?<=\.) /);
  const path = pathOf(row, described);
  return {
    path: row.name,
    title: titleOf(row),
    note: { en: sentence.replaceAll("`", ""), id: `POST ${path}` },
    group: taskOf(row),
    badge: row.code,
    ...(isSandbox && row.direction === "toProvider" && { tries: row.name }),
    sections: (language) => {
      const parts = [
        requestSection(row, described, language),
        headerSection(row, described, language),
        signedTextSection(row, described, language),
        responseSection(row, described, language),
        casesSection(row, described, language),
        ...notificationSection(row, language),
        relatedSection(row, isSandbox, language),
      ];
      const entries = parts.flatMap(({ heading }) => heading ?? []);
      const contents = { kind: "contents", title: texts.onThisPage[language], entries } as const;
      return [{ ...introduction(row, path, language), aside: [contents] }, ...parts];
    },
  };
}

const pathOf = (row: OperationRow, { path }: DescribedOperation): string => path ?? `{address}/v1.0/${row.path}`;

const kindNotes: Readonly<Record<OperationRow["kind"], Text>> = {
  write: {
    en: "A write: `X-EXTERNAL-ID` is its idempotency key. [Repeat it](docs/guides/idempotency.md) with the same id and bytes when no response came; its effect happens once.",
    id: "Operasi tulis: `X-EXTERNAL-ID` adalah kunci idempotensinya. [Ulangi](docs/guides/idempotency.md) dengan id dan byte yang sama bila tidak ada respons; efeknya terjadi satu kali.",
  },
  read: {
    en: "A read: it changes nothing, and may be repeated with a new `X-EXTERNAL-ID` or the same.",
    id: "Operasi baca: tidak mengubah apa pun, dan boleh diulang dengan `X-EXTERNAL-ID` baru atau yang sama.",
  },
  token: {
    en: "Signed with your private key in both signing modes; it takes no token.",
    id: "Ditandatangani dengan private key Anda pada kedua mode; tidak memerlukan token.",
  },
  notification: {
    en: "We send it to the address that you registered. It arrives at least once: handle it once.",
    id: "Kami mengirimnya ke alamat yang Anda daftarkan. Notifikasi tiba paling sedikit satu kali: tangani satu kali.",
  },
};

function introduction(row: OperationRow, path: string, language: Language): Section {
  return {
    blocks: [
      { kind: "endpoint", method: "POST", path },
      { kind: "prose", markdown: descriptionOf(row)[language] },
      { kind: "prose", markdown: kindNotes[row.kind][language] },
    ],
  };
}

const exampleBlock = (title: Text, language: Language, value: unknown): Block => ({
  kind: "code",
  title: title[language],
  language: "json",
  text: JSON.stringify(value, null, 2),
});

function requestSection(row: OperationRow, { request }: DescribedOperation, language: Language): Section {
  const place = { part: "request", language, example: request, read: row.about.members } as const;
  return {
    heading: { id: "request", text: texts.request[language] },
    blocks: [{ kind: "fields", entries: fieldEntries(row.request, place), example: texts.example[language] }],
    aside: [exampleBlock(texts.requestExample, language, request)],
  };
}

function headerSection(row: OperationRow, described: DescribedOperation, language: Language): Section {
  const entries = headerEntries(row, described, language);
  return {
    heading: { id: "headers", text: texts.headers[language] },
    blocks: [{ kind: "fields", entries, example: texts.example[language] }],
  };
}

function responseSection(row: OperationRow, { responses: [success] }: DescribedOperation, language: Language): Section {
  const title = row.kind === "notification" ? texts.replyExample : texts.responseExample;
  const place = { part: "response", language, example: success?.example } as const;
  return {
    heading: { id: "response", text: texts.response[language] },
    blocks: [{ kind: "fields", entries: fieldEntries(row.response, place), example: texts.example[language] }],
    aside: [exampleBlock(title, language, success?.example)],
  };
}

function casesSection(row: OperationRow, described: DescribedOperation, language: Language): Section {
  const title = row.kind === "notification" ? texts.replyCases : texts.responseCases;
  const words = { cause: texts.cause[language], cure: texts.cure[language], example: texts.example[language] };
  return {
    heading: { id: "codes", text: title[language] },
    blocks: [{ kind: "cases", entries: caseEntries(row, described, language), words }],
  };
}

const cardOf = (row: OperationRow, language: Language): CardEntry => ({
  href: addressOf(row.name, language),
  title: titleOf(row)[language],
  note: row.name,
  badge: row.code,
});

function notificationSection(row: OperationRow, language: Language): readonly Section[] {
  const notification: OperationRow | undefined = row.about.notifiedBy && operations[row.about.notifiedBy];
  if (notification === undefined) return [];
  return [
    {
      heading: { id: "notifications", text: texts.notifications[language] },
      blocks: [{ kind: "cards", entries: [cardOf(notification, language)] }],
    },
  ];
}

/** Operations that it starts from, that start from it or that it reports, queries of the same noun, and guides. */
function relatedSection(row: OperationRow, isSandbox: boolean, language: Language): Section {
  const { startsFrom, noun } = row.about;
  const others = operationRows.filter(
    (other) =>
      other.name !== row.name &&
      (other.name === startsFrom ||
        other.about.startsFrom === row.name ||
        other === reportedBy(row.name) ||
        (noun !== "token" && other.about.noun === noun && other.kind === "read")),
  );
  const guides = shownDocuments.filter(({ isOfSandbox, concerns }) => (isSandbox || !isOfSandbox) && concerns(row));
  const cards = guides.map(({ path, title, note }) => ({
    href: addressOf(path, language),
    title: title[language],
    note: note[language],
  }));
  return {
    heading: { id: "related", text: texts.related[language] },
    blocks: [{ kind: "cards", entries: [...others.map((other) => cardOf(other, language)), ...cards] }],
  };
}
