/**
 * Words that people know a record by, read from the request: its numbers, amounts with their day, accounts and names, also
 * those of our customers whose accounts it names.
 * The job that fills the search stores their hashes; a search makes them again from a candidate's record, so that it knows why
 * it was found, and that it was not by a hash alone.
 */
import { isObject, operationByCode } from "@titian/contract";
import { businessDay, dateOf } from "../../ledger/business-day.ts";
import type { SearchedRequest } from "../../store/tables/search/search-words.ts";

/** `foreign`: an account at another bank. This kind and names are kept under a key. */
export type WordKind = "number" | "amount" | "account" | "foreign" | "name";

export interface Word {
  readonly kind: WordKind;
  /** As `numberText`, `amountText`, `accountText` and `nameWords` write it. */
  readonly text: string;
  /** Business day of an amount, such as `2026-11-25`. */
  readonly day?: string;
}

/** Members by which a record is found, as answers name them. */
export const wordMembers = [
  "externalId",
  "partnerReferenceNo",
  "partnerCaptureNo",
  "partnerVoidNo",
  "partnerRefundNo",
  "partnerBulkId",
  "customerReference",
  "amount",
  "payerAccountNo",
  "beneficiaryAccountNo",
  "accountNo",
  "payerName",
  "beneficiaryName",
] as const;

export interface WordOfRecord extends Word {
  readonly by: (typeof wordMembers)[number];
}

const namesMax = 8;

/** Names of our customers, by the numbers of their accounts. */
export type Holders = ReadonlyMap<string, string>;

/** Numbers of the accounts whose holders' names are words of the request, where they are ours. */
export function partiesOf(searched: Pick<SearchedRequest, "service" | "payload">): readonly string[] {
  return partiesIn(readRequest(searched)).map(({ accountNo }) => accountNo);
}

/** Each word once, by the member that has it first. */
export function wordsOf(searched: SearchedRequest, holders: Holders): readonly WordOfRecord[] {
  const read = readRequest(searched);
  const { kept, request, isItem, partnerNumber } = read;
  const day = dateOf(businessDay(searched.at));
  const found = [
    ...numbersOf(isItem ? ["partnerReferenceNo"] : [partnerNumber, "customerReference"], request),
    ...(isItem ? [] : wordsIn("externalId", "number", searched.externalId)),
    ...amountsOf(kept, request).map((text): WordOfRecord => ({ kind: "amount", text, day, by: "amount" })),
    ...(isItem ? [] : payersOf(kept, request)),
    ...accountsOf(kept, request),
    ...namesIn("beneficiaryName", request["beneficiaryAccountName"]),
    ...namesIn("payerName", request["sourceAccountName"]),
    ...partiesIn(read).flatMap(({ by, accountNo }) => namesIn(by, holders.get(accountNo))),
  ];
  const isFirst = ({ kind, text }: Word, index: number) =>
    found.findIndex((word) => word.kind === kind && word.text === text) === index;
  return found.filter(isFirst);
}

type Members = Readonly<Record<string, unknown>>;

interface ReadRequest {
  readonly kept: Members;
  readonly request: Members;
  /** Member that has its partner's own number. */
  readonly partnerNumber: string | undefined;
  /** An item of a bulk is known by what is its own: the rest is its bulk's, which is found once, not ten thousand times. */
  readonly isItem: boolean;
}

function readRequest({ service, payload }: Pick<SearchedRequest, "service" | "payload">): ReadRequest {
  const kept = readObject(payload);
  const request = isObject(kept["request"]) ? kept["request"] : {};
  const { noun, partnerNumber } = operationByCode(service)?.about ?? {};
  return { kept, request, partnerNumber, isItem: noun === "bulk" && kept["itemCount"] === undefined };
}

/** A row that cannot be read is a finding of the audit, and has no words but its external id. */
function readObject(payload: string): Members {
  try {
    const value: unknown = JSON.parse(payload);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function numbersOf(members: readonly (string | undefined)[], request: Members): readonly WordOfRecord[] {
  return wordMembers.flatMap((name) => (members.includes(name) ? wordsIn(name, "number", request[name]) : []));
}

function amountsOf(kept: Members, request: Members): readonly string[] {
  const given = [kept["amount"], kept["sentAmount"], request["amount"]];
  const texts = given.map((money) => (isObject(money) ? amountText(String(money["value"])) : undefined));
  return texts.filter((text) => text !== undefined);
}

function payersOf(kept: Members, request: Members): readonly WordOfRecord[] {
  return [request["sourceAccountNo"], kept["payer"]].flatMap((value) => wordsIn("payerAccountNo", "account", value));
}

const leavesTheBank = (request: Members) => (request["beneficiaryBankCode"] ?? request["bankCode"]) !== undefined;

interface Party {
  readonly by: "payerName" | "beneficiaryName";
  readonly accountNo: string;
}

function partiesIn({ kept, request, isItem }: ReadRequest): readonly Party[] {
  const payers = isItem ? [] : [request["sourceAccountNo"], kept["payer"]];
  const party = (by: Party["by"]) => (value: unknown) => (typeof value === "string" ? [{ by, accountNo: value }] : []);
  return [
    ...payers.flatMap(party("payerName")),
    ...(leavesTheBank(request) ? [] : party("beneficiaryName")(request["beneficiaryAccountNo"])),
  ];
}

function accountsOf(kept: Members, request: Members): readonly WordOfRecord[] {
  return [
    ...wordsIn("beneficiaryAccountNo", leavesTheBank(request) ? "foreign" : "account", request["beneficiaryAccountNo"]),
    // Accounts that money left and reached, but for our internal ones.
    ...[kept["from"], kept["to"]]
      .filter((accountNo) => !String(accountNo).includes(":"))
      .flatMap((accountNo) => wordsIn("accountNo", "account", accountNo)),
  ];
}

function wordsIn(by: WordOfRecord["by"], kind: "number" | "account" | "foreign", value: unknown): WordOfRecord[] {
  if (typeof value !== "string") return [];
  const text = kind === "number" ? numberText(value) : accountText(value);
  return text === "" ? [] : [{ kind, text, by }];
}

function namesIn(by: WordOfRecord["by"], value: unknown): readonly WordOfRecord[] {
  if (typeof value !== "string") return [];
  return nameWords(value)
    .slice(0, namesMax)
    .map((text) => ({ kind: "name", text, by }));
}

/** A number in any case, and blanks in it as one. */
export function numberText(text: string): string {
  return text.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toUpperCase();
}

/** An account's number without what people write between its digits. */
export function accountText(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\s./-]+/g, "")
    .toUpperCase();
}

/** Words of a name, without case and accents: `Sítí Rahayu` has `siti` and `rahayu`. Single letters are none. */
export function nameWords(text: string): readonly string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [])];
}

/** A decimal text without zeros that say nothing: `250000.00` is `250000`. Undefined: it is none. */
export function amountText(text: string): string | undefined {
  const [, whole = "", decimals = ""] = /^0*(\d{1,16})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (whole === "") return undefined;
  const rest = decimals.replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
