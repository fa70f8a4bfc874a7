/** Action of `titian explain` with a response code: its operation, case, cause and cure, by the contract alone. */
import {
  caseCauses,
  casesOf,
  operationByCode,
  operationRows,
  parseResponseCode,
  reasonCause,
  reasonsOf,
  responseCases,
  type Sentence,
} from "@titian/contract";
import { usageError } from "../cli-error.ts";
import { formatJson, print } from "../output.ts";
import { formatFields } from "../tables/fields.ts";

interface ExplainCodeFlags {
  readonly json?: true;
  readonly language: "en" | "id";
}

/** True for a text of digits, and for one with `xx` as the documents write it: a file of such a name is `./4031714`. */
export const isCode = (text: string): boolean => /^\d+(?:xx\d*)?$/i.test(text);

export function explainCode(code: string, { json, language }: ExplainCodeFlags): void {
  const meaning = meaningOf(code, language);
  print(json ? formatJson(meaning) : formatMeaning(meaning));
}

type Meaning = ReturnType<typeof meaningOf>;

/** @throws CliError that names each part of the code that is unknown */
function meaningOf(code: string, language: ExplainCodeFlags["language"]) {
  const { row, name } = readCode(code);
  const say = (sentence: Sentence | undefined) => sentence?.[language];
  const { status: httpStatus, case: caseCode, message } = responseCases[name];
  const isUsed = name === "success" || casesOf(row).includes(name);
  const causes = row.direction === "toPartner" ? receiverAnswered : isUsed ? caseCauses[name] : neverAnswered;
  return {
    responseCode: code,
    httpStatus,
    serviceCode: row.code,
    operation: row.name,
    title: language === "id" ? row.titleTranslations.id : row.title,
    caseCode,
    caseName: name,
    message,
    cause: say(causes?.cause),
    cure: say(causes?.cure),
    reasons: isUsed
      ? reasonsOf(name, row.code).map((reason) => ({ reason, meaning: say(reasonCause(name, reason)) }))
      : [],
  };
}

function readCode(code: string) {
  const parsed = parseResponseCode(code);
  if (parsed === undefined) {
    throw usageError(
      `${code} is no response code: that has 7 digits, HTTP status, service code and case code, such as 4031714. A file of this name is ./${code}`,
    );
  }
  const { serviceCode, caseName } = parsed;
  const row = operationByCode(serviceCode);
  if (row !== undefined && caseName !== undefined) return { row, name: caseName };
  const faults = [
    ...(row === undefined ? [serviceFault(serviceCode)] : []),
    ...(caseName === undefined ? [caseFault(code)] : []),
  ];
  throw usageError(`${code} is unknown: ${faults.join(" ")}`);
}

function serviceFault(serviceCode: string): string {
  const known = operationRows.map((row) => row.code).toSorted();
  return `No operation has the service code ${serviceCode} (digits 4 and 5); there are ${known.join(", ")}.`;
}

function caseFault(code: string): string {
  const [status, caseCode] = [Number(code.slice(0, 3)), code.slice(5)];
  const cases = Object.values(responseCases);
  const ofStatus = cases.filter((row) => row.status === status);
  if (ofStatus.length > 0) {
    return `HTTP status ${status} has no case ${caseCode} (digits 6 and 7); there are ${ofStatus.map((row) => row.case).join(", ")}.`;
  }
  const known = new Set(cases.map((row) => row.status));
  return `No response has the HTTP status ${code.slice(0, 3)} (digits 1 to 3); there are ${[...known].join(", ")}.`;
}

function formatMeaning({ serviceCode, operation, title, cause, cure, reasons, ...about }: Meaning): string {
  const lines = formatFields([
    ["Response code", `${about.responseCode} ${about.message}`],
    ["HTTP status", String(about.httpStatus)],
    ["Operation", `${serviceCode} ${operation}, ${title}`],
    ["Case", `${about.caseCode} ${about.caseName}`],
    ["Cause", cause],
    ["Cure", cure],
  ]);
  if (reasons.length === 0) return lines;
  const width = Math.max(...reasons.map(({ reason }) => reason.length)) + 4;
  return `${lines}\n\nReasons in brackets\n${formatFields(
    reasons.map(({ reason, meaning }) => [`[${reason}]`, meaning ?? ""]),
    width,
  )}`;
}

/** Meaning of a code that a receiver gives to a notification. */
const receiverAnswered = {
  cause: {
    en: "A partner's receiver answers a notification with it.",
    id: "Penerima milik partner menjawab notifikasi dengan kode ini.",
  },
  cure: {
    en: "`titian notification show` has what a receiver answered, and when it is sent again.",
    id: "`titian notification show` memuat jawaban penerima, dan kapan notifikasi dikirim lagi.",
  },
};

const neverAnswered = {
  cause: {
    en: "The standard has this case; Titian never answers this operation with it.",
    id: "Standar memiliki kasus ini; Titian tidak pernah menjawab operasi ini dengannya.",
  },
  cure: {
    en: "Compare the code with the response, and the address with that of the service.",
    id: "Bandingkan kode dengan responsnya, dan alamatnya dengan alamat layanan.",
  },
};
