/** Facts of an operation that are told outside the contract. Which ones its row must state depends on its kind and noun. */
import type { Fields, FieldType } from "./fields/field-type.ts";
import type { TransactionStatusCode } from "./statuses.ts";

/** Subject of an operation: the thing it makes, changes, reads or reports. */
export type Noun = "account" | "bulk" | "hold" | "paymentRequest" | "token" | "transfer";

/** Those of any row, for code that is generic in the operation. */
export interface About<Name extends string = string> {
  readonly noun: Noun;
  /** Field that has the amount, of the request or else of the response; `bulkObject[].amount`: of each entry of that list. */
  readonly amount?: string;
  /** Field of the response that has our number. */
  readonly number?: string;
  /** Field of the request that has the partner's number. */
  readonly partnerNumber?: string;
  /** Field of the request whose number the partner's number counts within; absent or undefined: it counts by itself. */
  readonly within?: string | undefined;
  /** Operation whose number it starts from; undefined: none. */
  readonly startsFrom?: Name | undefined;
  /** Rail to another bank; undefined: the operation stays within the bank. */
  readonly rail?: "interbank" | "rtgs" | "skn" | undefined;
  /** Notification of its result; undefined: none. */
  readonly notifiedBy?: Name | undefined;
  /** `latestTransactionStatus` in the example of a repeat. */
  readonly exampleStatus?: TransactionStatusCode;
  /** Members of the request's `additionalInfo` that are read, where any are. */
  readonly members?: Readonly<Record<string, FieldType>>;
}

type NameIn<Table> = keyof Table & string;
type Stated<Facts extends keyof About> = About & { readonly [Fact in Facts]-?: About[Fact] };

interface AboutWrite<Request, Response> extends About {
  readonly amount: NameIn<Request> | `${NameIn<Request>}[].amount`;
  readonly number: NameIn<Response>;
  readonly partnerNumber: NameIn<Request>;
  readonly exampleStatus: TransactionStatusCode;
}

type AboutNoun =
  | (Stated<"startsFrom" | "within"> & { readonly noun: "hold" })
  | (Stated<"rail" | "notifiedBy"> & { readonly noun: "bulk" | "transfer" })
  | { readonly noun: "paymentRequest" };

/** Facts that a row of this kind must state. */
export type AboutOf<Kind, Request extends Fields, Response extends Fields> = Kind extends "write"
  ? AboutWrite<Request, Response> & AboutNoun
  : Kind extends "read"
    ? Stated<"startsFrom">
    : About;
