/** Making and reading response codes and messages. */
import { type CaseName, responseCases } from "./response-cases.ts";

/** Longest `responseMessage` in code points (the standard's). */
const longestMessage = 150;

/** The 7-digit response code of a case for a service code: `responseCode("conflict", "17")` is `"4091700"`. */
export function responseCode(caseName: CaseName, serviceCode: string): string {
  const row = responseCases[caseName];
  return `${row.status}${serviceCode}${row.case}`;
}

/**
 * The message of a case, with the field it names or the reason in square brackets behind it:
 * `Invalid Mandatory Field amount.value`, `Unauthorized. [Signature]`. At most 150 code points.
 */
export function responseMessage(
  caseName: CaseName,
  detail: { readonly field?: string | undefined; readonly reason?: string | undefined } = {},
): string {
  let message: string = responseCases[caseName].message;
  if (detail.field !== undefined) message += ` ${detail.field}`;
  if (detail.reason !== undefined) message += ` [${detail.reason}]`;
  // Cutting by code units first bounds the work whatever the caller passes.
  return message.length <= longestMessage
    ? message
    : Array.from(message.slice(0, longestMessage * 2))
        .slice(0, longestMessage)
        .join("");
}

const namesByCode = new Map(
  Object.entries(responseCases).map(([name, row]): [string, string] => [`${row.status}${row.case}`, name]),
);

const isCaseName = (name: string): name is CaseName => Object.hasOwn(responseCases, name);

export interface ParsedResponseCode {
  /** HTTP status, the first three digits. */
  readonly status: number;
  /** Service code, two digits. */
  readonly serviceCode: string;
  /** Absent when the pair of status and case code is not in the table. */
  readonly caseName?: CaseName;
}

/** Splits a response code; undefined when the text is not 7 digits. */
export function parseResponseCode(text: string): ParsedResponseCode | undefined {
  if (!/^\d{7}$/.test(text)) return undefined;
  const status = Number(text.slice(0, 3));
  const serviceCode = text.slice(3, 5);
  const name = namesByCode.get(`${text.slice(0, 3)}${text.slice(5)}`);
  return name !== undefined && isCaseName(name) ? { status, serviceCode, caseName: name } : { status, serviceCode };
}
