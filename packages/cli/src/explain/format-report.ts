/** A report as lines for a person. */
import type { RefusalReport, Warning } from "@titian/explain";
import { visible } from "../tables/plain.ts";

type Language = "en" | "id";

const stepWords: Readonly<Record<Language, string>> = { en: "Step", id: "Langkah" };

export function formatReport(report: RefusalReport, warnings: readonly Warning[], language: Language): string {
  const { step, diagnosis, stringToSign, bodyHash, minifiedBodyHash, differsAt } = report;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Cause", step === undefined ? undefined : diagnosis.cause],
    ["About", step === undefined ? undefined : diagnosis.part],
    ["String to sign", stringToSign],
    ["Body's hash", bodyHash],
    ["Minified", minifiedBodyHash === bodyHash ? undefined : minifiedBodyHash],
    ["Our clock", report.ourClock],
    ["Difference", report.clockDifferenceMs === undefined ? undefined : `${report.clockDifferenceMs / 1_000} s`],
    ["Differs at", differsAt && `character ${differsAt.index + 1}`],
    ["  ours", differsAt?.ours],
    ["  signed", differsAt?.theirs],
  ];
  const said = rows.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name.padEnd(16)}${visible(value)}`]));
  const start = step === undefined ? "" : `${stepWords[language]} ${step}: `;
  return [
    `${start}${visible(inLanguage(diagnosis, language))}`,
    ...said,
    ...warnings.map((warning) => `Warning: ${visible(inLanguage(warning, language))}`),
  ].join("\n");
}

function inLanguage(
  { sentence, translations }: Pick<Warning, "sentence" | "translations">,
  language: Language,
): string {
  return language === "id" ? translations.id : sentence;
}
