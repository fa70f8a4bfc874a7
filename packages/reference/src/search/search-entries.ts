/** Entries of the search: operations, fields, response codes, headings of documents, control calls. */
import {
  describeField,
  type Fields,
  operationIn,
  type OpenApiDocument,
  type OperationRow,
  operationRows,
  responseCases,
} from "@titian/contract";
import { headingsOf } from "../documents/headings.ts";
import { readDocument } from "../documents/read-document.ts";
import { fileIn, type ShownDocument } from "../documents/documents.ts";
import type { Language, Text } from "../languages.ts";
import { caseAnchor, caseEntries, causeOf } from "../pages/cases.ts";
import { codesPath, usedCodes } from "../pages/codes-page.ts";
import { callAnchor, type ControlCall, controlPathOf } from "../pages/control-pages.ts";
import { fieldAnchor, type Part } from "../pages/fields.ts";
import { titleOf } from "../pages/operation-page.ts";
import { addressOf } from "../site.ts";

const kinds = {
  operation: { en: "operation", id: "operasi" },
  field: { en: "field", id: "field" },
  code: { en: "response code", id: "kode respons" },
  guide: { en: "guide", id: "panduan" },
  control: { en: "control call", id: "panggilan kontrol" },
} as const satisfies Readonly<Record<string, Text>>;

/** Kind, title, what stands below it, address, and other words by which it is found. */
type Entry = readonly [kind: keyof typeof kinds, title: string, below: string, address: string, words: string];

export interface Searched {
  readonly document: OpenApiDocument;
  readonly documents: readonly ShownDocument[];
  readonly controlCalls: readonly ControlCall[];
}

/** As JSON: the names of the kinds, and the entries. */
export function searchIndex({ document, documents, controlCalls }: Searched, language: Language): string {
  const labels = Object.fromEntries(Object.entries(kinds).map(([kind, text]) => [kind, text[language]]));
  const entries = [
    ...usedCodes(document).map((used) => codeEntry(used, language)),
    ...operationRows.flatMap((row) => entriesOf(row, document, language)),
    ...documents.flatMap((one) => headingEntries(one, language)),
    ...controlCalls.map((call) => controlEntry(call, language)),
  ];
  return JSON.stringify({ labels, entries });
}

/** A case of all operations; it stands before those of one, which are found by the same words. */
function codeEntry({ name, code }: ReturnType<typeof usedCodes>[number], language: Language): Entry {
  const { cause } = causeOf(name, language);
  const address = addressOf(codesPath, language, caseAnchor(code));
  return ["code", `${code} ${responseCases[name].message}`, cause, address, responseCases[name].case];
}

function entriesOf(row: OperationRow, document: OpenApiDocument, language: Language): readonly Entry[] {
  const title = titleOf(row)[language];
  const place = `${row.code} ${title}`;
  const described = operationIn(document, row.name);
  const own: Entry = [
    "operation",
    title,
    `${row.code} · ${described.path ?? row.path}`,
    addressOf(row.name, language),
    `${row.name} ${row.title} ${row.titleTranslations.id} ${row.description}`,
  ];
  const codes = caseEntries(row, described, language).map(
    ({ id, code, message, reasons, cause }): Entry => [
      "code",
      `${code} ${message}`,
      place,
      addressOf(row.name, language, id),
      [...reasons.map(({ reason }) => reason), cause, row.name].join(" "),
    ],
  );
  return [
    own,
    ...fieldsIn(row.request, "request", row, language),
    ...fieldsIn(row.response, "response", row, language),
    ...codes,
  ];
}

function fieldsIn(
  fields: Fields,
  part: Part,
  row: OperationRow,
  language: Language,
  within: readonly string[] = [],
): readonly Entry[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Entry[] => {
    const path = [...within, name];
    const place = `${row.code} ${titleOf(row)[language]}`;
    const address = addressOf(row.name, language, fieldAnchor(part, path));
    const { type } = field;
    const inner = type.kind === "list" ? type.entry : type.kind === "any" ? (type.members ?? {}) : {};
    return [
      ["field", path.join("."), place, address, describeField(name, field)],
      ...fieldsIn(inner, part, row, language, path),
    ];
  });
}

function headingEntries(shown: ShownDocument, language: Language): readonly Entry[] {
  const { path, title, note } = shown;
  const own: Entry = ["guide", title[language], note[language], addressOf(path, language), `${title.en} ${note.en}`];
  const headings = headingsOf(readDocument(fileIn(shown, language)))
    .filter(({ depth }) => depth > 1)
    .map(({ id, text }): Entry => ["guide", text, title[language], addressOf(path, language, id), ""]);
  return [own, ...headings];
}

function controlEntry(call: ControlCall, language: Language): Entry {
  const address = addressOf(controlPathOf(call), language, callAnchor(call));
  return ["control", call.name, `${call.method} ${call.path}`, address, call.does];
}
