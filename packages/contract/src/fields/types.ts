/** The named field types of the interface: lengths and formats of the SNAP standard, read as spec D5 says. */
import { isCurrency } from "../currencies.ts";
import { headerPatterns } from "../headers.ts";
import { attemptStatuses, transactionStatusCodes } from "../statuses.ts";
import { offsetPattern, parseTimestamp, timestampPattern } from "../timestamps.ts";
import type { Described } from "./descriptions.ts";
import type { AnyType, Fields, ListType, MembersType, Money as MoneyText, MoneyType, TextType } from "./field-type.ts";
import { forbidden, space } from "./characters.ts";
import { checked, oneOf, pattern, text } from "./text-types.ts";

/** An identifier of the partner or the provider: `partnerReferenceNo`, `referenceNo`, `captureNo`, `merchantId`… */
export const Reference = text(64);
/** A beneficiary's or customer's account number; the wider length everywhere (spec D5). */
export const AccountNo = text(34);
/** An account number that leaves on a rail, which breaks on other characters after the money moved (spec D5). */
export const RailAccountNo = pattern(
  34,
  /^[A-Za-z0-9./-](?:[A-Za-z0-9./ -]*[A-Za-z0-9./-])?$/,
  'Letters, digits, "-", ".", "/", and blanks within.',
);
/** A source account number. */
export const SourceAccountNo = text(19);
/** Name of an account's holder. */
export const AccountName = text(100);
/** `X-EXTERNAL-ID` of an earlier call; the wider length everywhere (spec D5). */
export const ExternalId = text(36);

/** A bank: 3 digits, BIC-8 or BIC-11 (spec D16). */
export const BankCode = pattern(
  11,
  /^(?:[0-9]{3}|[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$/,
  "3 digits, BIC-8 or BIC-11.",
);

/** ISO 8601 with seconds; without an offset it is Asia/Jakarta (spec D5). */
export const Timestamp = checked(35, (value) => parseTimestamp(value) !== undefined, {
  format: "ISO 8601 with seconds, optional fraction and offset; without an offset Asia/Jakarta.",
  pattern: `^${timestampPattern}(?:${offsetPattern})?$`,
});

/** An active ISO 4217 code in capitals. */
export const Currency = checked(
  3,
  isCurrency,
  { format: "ISO 4217 code." },
  { request: { $ref: "#/components/schemas/Currency" }, response: { $ref: "#/components/schemas/Currency" } },
);

/** The texts true and false in any case, read as `"true"` and `"false"`; a JSON boolean is rejected (spec D5). */
export const TrueFalseText = oneOf(["true", "false"], { ignoreCase: true, format: "In any case." });

/** Bearer of the fee (spec D11); `SHA` and `1000` mean the same. */
export const FeeType = oneOf(["OUR", "BEN", "SHA", "1000"], {
  format: "OUR: the sender. BEN: the beneficiary. SHA or 1000: the sender up to Rp 1,000, the beneficiary the rest.",
});

const local = `[^${space}@${forbidden}]+`;
const trimmedEmail = pattern(
  50,
  new RegExp(`^${local}@${local}$`, "u"),
  "local@domain. Blanks around it are left out, and a dash alone counts as absent.",
);
const around = `[${space}]*`;
const dash = "\\x20*-\\x20*";
const emailSchema = {
  type: "string",
  pattern: `^(?:${dash}|${around}${local}@${local}${around})$`,
  // Without look-ahead the length is a pattern of its own.
  anyOf: [{ pattern: `^${dash}$` }, { pattern: `^${around}[^${space}]{3,50}${around}$` }],
} as const;

/** Read without blanks around it; a dash alone is what callers send who have none (spec D5). */
export const Email: TextType = {
  ...trimmedEmail,
  read: (value) => (/\p{Cc}/u.test(value) ? undefined : trimmedEmail.read(value.trim())),
  isAbsent: (value) => /^ *- *$/.test(value),
  documented: { request: emailSchema },
};

/** 1 Indonesia, 2 elsewhere. */
export const Residence = oneOf(["1", "2"], { format: "1 Indonesia, 2 elsewhere." });
/** 1 individual, 2 corporation, 3 government. */
export const CustomerType = oneOf(["1", "2", "3"], { format: "1 individual, 2 corporation, 3 government." });
/** D current account, S savings. */
export const AccountType = oneOf(["D", "S"], { format: "D current account, S savings." });

/** `00` to `07`: see `transactionStatuses`. */
export const TransactionStatus = oneOf(transactionStatusCodes);
/** Result of a capture or void. */
export const AttemptStatus = oneOf(attemptStatuses);

/** HTTP status, service code and case code: 7 digits. */
export const ResponseCode = pattern(7, /^[0-9]{7}$/, "7 digits.");
export const ResponseMessage = text(150);
/** Service code of a transfer that the status inquiry covers (spec D15). */
export const TransferServiceCode = oneOf(["17", "18", "19", "20", "22", "23"]);

/** Digits with up to two decimals; at most 16 digits before the point ("16,2" read as 16 whole digits and 2 decimals). */
export const MoneyValue = pattern(19, /^[0-9]{1,16}(?:\.[0-9]{1,2})?$/, "Up to 16 digits, up to 2 decimals.");

/** `{ value, currency }`, both mandatory inside. The name is that of the field type and of the type of its values. */
export type Money = MoneyText;
export const Money: MoneyType = { kind: "money" };

/** Id of a partner, as in `X-PARTNER-ID`. */
export const PartnerId = pattern(36, headerPatterns.partnerId, "Visible ASCII characters.");

/** Any JSON value but null, which counts as absent (spec D5); its size and depth are bounded by the scanner. */
export const FreeForm: AnyType = { kind: "any" };

/** As `FreeForm`, for an object to which the provider adds members. */
export function freeFormWith<const Members extends Fields>(
  members: Members & Described<Members>,
): MembersType<Members> {
  return { ...FreeForm, members };
}

/** A list of `min` to `max` objects of the given fields. */
export function listOf<const Entry extends Fields>(
  entry: Entry & Described<Entry>,
  size: { readonly min: number; readonly max: number },
): ListType<Entry> {
  return { kind: "list", entry, min: size.min, max: size.max };
}
