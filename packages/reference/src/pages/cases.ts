/** Response cases of an operation as a page shows them: code, message, cause, cure, and what each reason means. */
import {
  caseCauses,
  type CaseName,
  type DescribedOperation,
  type OperationRow,
  parseResponseCode,
  reasonCause,
  reasonsOf,
  responseCases,
} from "@titian/contract";
import type { CaseEntry } from "../blocks/block.ts";
import type { Language } from "../languages.ts";

export const caseAnchor = (code: string): string => `code-${code}`;

/** Every case of the operation but success, by code. */
export function caseEntries(
  row: OperationRow,
  { responses }: DescribedOperation,
  language: Language,
): readonly CaseEntry[] {
  const byCode = Map.groupBy(responses.slice(1), ({ code }) => code);
  const sorted = [...byCode].toSorted(([one], [other]) => Number(one) - Number(other));
  return sorted.map(([code, examples]) => {
    const name = caseOf(code);
    return {
      ...causeOf(name, language),
      id: caseAnchor(code),
      code,
      message: responseCases[name].message,
      reasons: reasonEntries(name, row.code, language),
      example: JSON.stringify(examples[0]?.example, null, 2),
    };
  });
}

export function causeOf(name: CaseName, language: Language): { readonly cause: string; readonly cure: string } {
  const { cause, cure } = caseCauses[name] ?? {};
  return { cause: cause?.[language] ?? "", cure: cure?.[language] ?? "" };
}

export function reasonEntries(name: CaseName, serviceCode: string, language: Language): CaseEntry["reasons"] {
  return reasonsOf(name, serviceCode).map((reason) => ({
    reason,
    meaning: reasonCause(name, reason)?.[language] ?? "",
  }));
}

/** @throws for a code that the table does not have */
export function caseOf(code: string): CaseName {
  const name = parseResponseCode(code)?.caseName;
  if (name === undefined) throw new Error(`No response case has the code ${code}.`);
  return name;
}
