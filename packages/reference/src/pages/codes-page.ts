/** The page of all response codes: each case with cause and cure, its reasons, and the operations that answer it. */
import {
  type CaseName,
  type OpenApiDocument,
  operationIn,
  type OperationRow,
  operationRows,
  responseCases,
} from "@titian/contract";
import type { CaseEntry } from "../blocks/block.ts";
import { texts } from "../frame/texts.ts";
import type { Language } from "../languages.ts";
import { addressOf, type Section, type SitePage } from "../site.ts";
import { caseAnchor, caseOf, causeOf, reasonEntries } from "./cases.ts";

export const codesPath = "codes";

const introduction = {
  en: "A response code has 7 digits: HTTP status, service code, case code. `xx` stands for the service. What a code means for one operation, with an example, is on the operation's page.",
  id: "Kode respons terdiri dari 7 digit: status HTTP, kode layanan, kode kasus. `xx` mewakili layanan. Arti kode untuk satu operasi, dengan contoh, ada di halaman operasi.",
};

const statusTitles: Readonly<Record<string, string>> = {
  "2": "2xx",
  "4": "4xx",
  "5": "5xx",
};

export function codesPage(document: OpenApiDocument): SitePage {
  const used = usedCases(document);
  return {
    path: codesPath,
    title: texts.responseCases,
    note: { en: "Each with cause and cure", id: "Masing-masing dengan sebab dan tindakan" },
    group: "errors",
    sections: (language) => [
      { blocks: [{ kind: "prose", markdown: introduction[language] }] },
      ...Object.entries(statusTitles).map(([digit, title]) => statusSection(used, digit, title, language)),
    ],
  };
}

type UsedCases = ReadonlyMap<CaseName, readonly OperationRow[]>;

/** The operations that answer each case. */
function usedCases(document: OpenApiDocument): UsedCases {
  const used = new Map<CaseName, OperationRow[]>();
  for (const row of operationRows.filter(({ direction }) => direction === "toProvider")) {
    const names = operationIn(document, row.name).responses.map(({ code }) => caseOf(code));
    for (const name of new Set(names)) used.set(name, [...(used.get(name) ?? []), row]);
  }
  return used;
}

/** Every case that an operation answers, for the search. */
export function usedCodes(document: OpenApiDocument): readonly { readonly name: CaseName; readonly code: string }[] {
  return [...usedCases(document).keys()].map((name) => ({ name, code: generalCode(name) }));
}

/** `xx` stands for the service. */
const generalCode = (name: CaseName): string => `${responseCases[name].status}xx${responseCases[name].case}`;

function statusSection(used: UsedCases, digit: string, title: string, language: Language): Section {
  const names = Object.keys(responseCases) as CaseName[];
  const entries = names
    .filter((name) => used.has(name) && String(responseCases[name].status).startsWith(digit))
    .map((name) => entryOf(name, used.get(name) ?? [], language));
  const words = { cause: texts.cause[language], cure: texts.cure[language], example: texts.example[language] };
  return { heading: { id: `status-${digit}`, text: title }, blocks: [{ kind: "cases", entries, words }] };
}

function entryOf(name: CaseName, rows: readonly OperationRow[], language: Language): CaseEntry {
  const { status, case: digits, message } = responseCases[name];
  const code = generalCode(name);
  const { cause, cure } = causeOf(name, language);
  const links = rows.map(
    (row) => `[${row.code}](${addressOf(row.name, language, caseAnchor(`${status}${row.code}${digits}`))})`,
  );
  const reasons = new Map(
    rows.flatMap((row) => reasonEntries(name, row.code, language).map(({ reason, meaning }) => [reason, meaning])),
  );
  return {
    id: caseAnchor(code),
    code,
    message,
    cause: name === "success" ? cause : `${cause} (${links.join(", ")})`,
    cure,
    reasons: [...reasons].map(([reason, meaning]) => ({ reason, meaning })),
    example: "",
  };
}
