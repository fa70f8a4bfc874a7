/** The inquiry about a write: which operation, and with which fields, its row and the inquiry's say. */
import { isObject, type OperationRow, operations } from "@titian/contract";
import type { CallName } from "../names.ts";
import type { Attempt } from "../attempt.ts";

export interface Inquiry {
  readonly row: OperationRow & { readonly name: CallName };
  /** Fields in the response of that operation. */
  readonly tells: NonNullable<OperationRow["about"]["tells"]>;
  readonly body: string;
}

/** Undefined where no operation tells what became of the write. */
export function inquiryOf(row: OperationRow, attempt: Attempt): Inquiry | undefined {
  const { inquiry, partnerNumber = "" } = row.about;
  if (inquiry === undefined) return undefined;
  const asking: OperationRow = operations[inquiry];
  const { tells } = asking.about;
  if (tells === undefined) return undefined;
  const sent = readBody(attempt);
  const request: Record<string, unknown> = { [tells.asked]: sent[partnerNumber] };
  for (const [name, { presence }] of Object.entries(asking.request)) {
    if (presence !== "mandatory" || name in request) continue;
    request[name] = name === "serviceCode" ? row.code : sent[name];
  }
  return { row: asking as Inquiry["row"], tells, body: JSON.stringify(request) };
}

export function readBody(attempt: Attempt): Readonly<Record<string, unknown>> {
  const body: unknown = JSON.parse(attempt.body);
  return isObject(body) ? body : {};
}
