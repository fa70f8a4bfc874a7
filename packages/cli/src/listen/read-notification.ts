/** Content of a notification, read for display alone: whatever arrived, there is something to show. */
import {
  isObject,
  type OperationRow,
  operationRows,
  operations,
  parseResponseCode,
  reportedBy,
} from "@titian/contract";
import { plain } from "../tables/plain.ts";
import type { Incoming } from "./incoming.ts";

export interface NotificationContent {
  /** 21, 75, 76, or 73 for a token call; undefined: no path of a notification. */
  readonly serviceCode: string | undefined;
  /** Name of the operation. */
  readonly name: string;
  readonly label: string;
  /** `latestTransactionStatus`; none for 21 and 73. */
  readonly status?: string;
  /** `settled`, or of a bulk `2 settled, 1 rejected`. */
  readonly meaning?: string;
  /** Reference number of the transfer, or the `bulkId`. */
  readonly referenceNo?: string;
  readonly partnerReferenceNo?: string;
  readonly amount?: string;
  readonly externalId?: string;
}

const rows: readonly OperationRow[] = [
  ...operationRows.filter(({ kind }) => kind === "notification"),
  operations.accessTokenB2b,
];

const railLabels = { interbank: "interbank", rtgs: "RTGS", skn: "SKNBI" } as const;

/** Label of the operation's noun, or of the rail of its transfer. */
export function labelOf({ name, about: { noun, rail = reportedBy(name)?.about.rail } }: OperationRow): string {
  return noun === "transfer" && rail !== undefined ? railLabels[rail] : noun;
}

/** Meanings of a settlement notification's status. */
const meanings: Readonly<Record<string, string>> = { "00": "settled", "04": "returned", "06": "rejected" };

export const tokenService = operations.accessTokenB2b.code;

/** Texts are shortened and cannot steer a terminal. */
export function readNotification({ target, headers, body }: Incoming): NotificationContent {
  const [path = ""] = target.split("?", 1);
  const row = rows.find((one) => path.endsWith(`/${one.path}`));
  if (row === undefined) return { serviceCode: undefined, name: "unknown", label: shown(path) ?? "" };
  const { code: serviceCode, name } = row;
  const known = { serviceCode, name, label: labelOf(row), ...textOf("externalId", headers["x-external-id"]) };
  const fields = parse(body);
  if (serviceCode === tokenService || fields === undefined) return known;
  return { ...known, ...(row.about.noun === "bulk" ? readBulk(fields) : readSettlement(fields)) };
}

type Fields = Readonly<Record<string, unknown>>;

function readSettlement(fields: Fields): Partial<NotificationContent> {
  const { latestTransactionStatus: status, amount } = fields;
  const meaning = typeof status === "string" ? (meanings[status] ?? "unknown status") : undefined;
  const money = isObject(amount) ? `${String(amount["value"])} ${String(amount["currency"])}` : undefined;
  return {
    ...textOf("status", status),
    ...textOf("meaning", meaning),
    ...textOf("referenceNo", fields["originalReferenceNo"]),
    ...textOf("partnerReferenceNo", fields["originalPartnerReferenceNo"]),
    ...textOf("amount", money),
  };
}

function readBulk(fields: Fields): Partial<NotificationContent> {
  const items: readonly unknown[] = Array.isArray(fields["bulkObject"]) ? fields["bulkObject"] : [];
  const settled = items.filter((item) => isObject(item) && isSuccess(item["responseCode"])).length;
  const rejected = items.length - settled;
  return {
    meaning: `${settled} settled${rejected === 0 ? "" : `, ${rejected} rejected`}`,
    ...textOf("referenceNo", fields["bulkId"]),
    ...textOf("partnerReferenceNo", fields["partnerBulkId"]),
  };
}

function isSuccess(code: unknown): boolean {
  return typeof code === "string" && parseResponseCode(code)?.status === 200;
}

/** `responseCode` of a reply that has one. */
export function responseCodeIn(body: Uint8Array): string | undefined {
  return shown(parse(body)?.["responseCode"]);
}

function parse(body: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const lengthMax = 64;

function shown(value: unknown): string | undefined {
  return typeof value === "string" ? plain(value.slice(0, lengthMax)) : undefined;
}

function textOf<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string } {
  const text = shown(value);
  return text === undefined ? {} : ({ [name]: text } as { readonly [Key in Name]: string });
}
