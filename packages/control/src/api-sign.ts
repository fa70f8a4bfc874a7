/** What the console signs: operations as forms, samples, signed requests. See api-types.ts. */

/** `GET /sandbox/operations`: what `POST /sandbox/sign` can sign, in the order of the specification. */
export interface OperationsAnswer {
  readonly operations: readonly OperationView[];
}
export interface OperationView {
  /** Such as `interbankTransfer`. */
  readonly name: string;
  /** Two digits. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "write" | "read" | "token";
  /** After prefix and version, such as `transfer-interbank`. */
  readonly path: string;
  readonly fields: readonly FieldView[];
}
export interface FieldView {
  readonly name: string;
  /** `text` · `money` {value, currency} · `list` of objects of `fields` · `json`: any JSON, with its known `fields`. */
  readonly kind: "text" | "money" | "list" | "json";
  /** `conditional`: mandatory in some cases, which the description says. */
  readonly presence: "mandatory" | "optional" | "conditional";
  readonly description: string;
  /** Of a text. */
  readonly maxLength?: number | undefined;
  /** Of a text: a regular expression. */
  readonly pattern?: string | undefined;
  /** Of a text: the only values. */
  readonly options?: readonly string[] | undefined;
  /** Of a list. */
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly fields?: readonly FieldView[] | undefined;
}

/**
 * `GET /sandbox/operations/{name}/sample?partnerId=…`: a body that works at once. Captures, voids, refunds, queries and
 * status inquiries name the partner's newest payment or transfer that they suit.
 */
export interface SampleAnswer {
  readonly partnerId: string;
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What has to be done first; absent: nothing. */
  readonly needs?: SampleNeed | undefined;
}

/** There is nothing yet that the operation could be about: call this one first. */
export interface SampleNeed {
  readonly operation: string;
}

/** `POST /sandbox/sign`. */
export interface SignRequest {
  readonly partnerId: string;
  readonly operation: string;
  /** An object; or a text, which is signed as it is, whatever it holds. */
  readonly body: Readonly<Record<string, unknown>> | string;
  /** Absent: a new one. */
  readonly externalId?: string | undefined;
  /** Customer's token (service 74), sent as Authorization-Customer. */
  readonly customerToken?: string | undefined;
}

export type CodeLanguage = "curl" | "sdk" | "php" | "go" | "java" | "python";

/** A page sends it as it is: `fetch(path, {method, headers, body})`. Its timestamp is now: send it within five minutes. */
export interface SignedRequest {
  readonly method: "POST";
  /** From the root, such as `/v1.0/transfer-interbank`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly stringToSign: string;
  /** Whole programs that sign and send this call. They hold the partner's credentials of this sandbox, and no control token. */
  readonly code: Readonly<Record<CodeLanguage, string>>;
}
