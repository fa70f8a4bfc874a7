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
  /** Operation that tells what became of the write; undefined: none. */
  readonly inquiry?: Name | undefined;
  /** `latestTransactionStatus` of a write that has what it asked for; 01, 02 and 03 beside them say that it has yet to come. */
  readonly doneAt?: readonly TransactionStatusCode[];
  /** `latestTransactionStatus` of a write that was accepted and came to nothing: no later send changes it. */
  readonly failedAt?: readonly TransactionStatusCode[];
  /** Place where an inquiry about writes says what became of one. */
  readonly tells?: Tells;
  /**
   * Field of the request with an account number that the answer tells of: whether there is such an account, or whose it is.
   * These calls have a rate of their own (spec D2 step 9).
   */
  readonly looksUp?: string;
  /** Fields of the request that say in which of several databases it belongs. */
  readonly placedBy?: PlacedBy;
  /** Members of the request's `additionalInfo` that are read, where any are. */
  readonly members?: Readonly<Record<string, FieldType>>;
}

export type PlacedBy<Field extends string = string> =
  /** Account number of the payer; of the payee, which is ours unless `payeeBank` is the field with another bank's code. */
  | {
      readonly payer: Field | `additionalInfo.${string}`;
      /** True: the customer's token names the payer, too, and outranks the field. */
      readonly isByToken?: true;
      readonly payee?: Field;
      readonly payeeBank?: Field;
    }
  /** Number of an account that is read: one of ours, unless `bank` is the field with another bank's code. */
  | { readonly account: Field; readonly bank?: Field }
  /** Our numbers of what it is about, the first that is there; without any it may be anywhere. */
  | { readonly numbers: readonly Field[] };

export interface Tells {
  /** Field of the request that has the partner's number of the write; other fields are those of the write by the same name. */
  readonly asked: string;
  /** Field of the response that has the status: of a transaction, or of an attempt. */
  readonly status: string;
  /** Field of the response that has our number of the write. */
  readonly number: string;
}

type NameIn<Table> = keyof Table & string;
type Stated<Facts extends keyof About> = About & { readonly [Fact in Facts]-?: About[Fact] };

interface AboutWrite<Request, Response> extends About {
  readonly amount: NameIn<Request> | `${NameIn<Request>}[].amount`;
  readonly number: NameIn<Response>;
  readonly partnerNumber: NameIn<Request>;
  readonly exampleStatus: TransactionStatusCode;
  readonly looksUp?: NameIn<Request>;
  readonly placedBy: PlacedBy<NameIn<Request>>;
  readonly inquiry: string | undefined;
  readonly doneAt: readonly TransactionStatusCode[];
  readonly failedAt: readonly TransactionStatusCode[];
}

type AboutNoun =
  | (Stated<"startsFrom" | "within"> & { readonly noun: "hold" })
  | (Stated<"rail" | "notifiedBy"> & { readonly noun: "bulk" | "transfer" })
  | { readonly noun: "paymentRequest" };

interface AboutRead<Request, Response> extends Stated<"startsFrom"> {
  readonly looksUp?: NameIn<Request>;
  readonly placedBy: PlacedBy<NameIn<Request>>;
  readonly tells?: Tells & {
    readonly asked: NameIn<Request>;
    readonly status: NameIn<Response>;
    readonly number: NameIn<Response>;
  };
}

/** Facts that a row of this kind must state. */
export type AboutOf<Kind, Request extends Fields, Response extends Fields> = Kind extends "write"
  ? AboutWrite<Request, Response> & AboutNoun
  : Kind extends "read"
    ? AboutRead<Request, Response>
    : About;
