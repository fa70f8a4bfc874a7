/** Input from which programs in other languages are written, and the way they hold texts. */

export interface CodeInput {
  /**
   * `texts`: the program holds the values. `sandboxFile`: it reads those of the first partner in `sandbox.json`, and makes a
   * transfer (17) with a new number at each run: the programs in examples/calls.
   */
  readonly values: "texts" | "sandboxFile";
  /** True for a write: without an answer it is sent again. */
  readonly repeats: boolean;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly pathPrefix: string;
  readonly version: string;
  /** Path of the call, and of service 73. */
  readonly path: string;
  readonly tokenPath: string;
  readonly operation: string;
  /** True for 73 and 74: signed with the private key, without a body's hash. */
  readonly isToken: boolean;
  readonly signing: "symmetric" | "asymmetric";
  readonly partnerId: string;
  readonly channelId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** PEM. */
  readonly privateKey: string;
  readonly externalId: string;
  readonly customerToken: string | undefined;
  /** As it is sent. */
  readonly body: string;
  /** The body as JSON, where it is an object. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
}

/** A call of mode 1 needs a token first. */
export const needsToken = ({ isToken, signing }: CodeInput) => !isToken && signing === "symmetric";

/** A text in double quotes, as Go, Java, Python and JavaScript read it. Lone surrogates are in no UTF-8. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** Lines of a program, without those that are left out. */
export function lines(...parts: readonly (string | false | undefined)[]): string {
  return `${parts.filter((part) => part !== false && part !== undefined).join("\n")}\n`;
}

/** Reasons for sending a write again, as lines of a comment. */
export const whyAgain = [
  "Without an answer nobody knows what became of it: the same number and the same bytes again, signed anew.",
  "It takes effect once; if it had, the answer is 409xx00 with the first one in additionalInfo.originalResponse.",
];

/**
 * Texts that answers are known by, without reading them as JSON. Success is also the first answer within a 409xx00; an answer
 * 5xx says as little as none.
 */
export const marks = { success: '"responseCode":"2', lost: '{"responseCode":"5', token: '"accessToken":"' };

/** Said behind the file's path where a program of examples/calls is run elsewhere. */
export const noSandbox = " here: run it in the repository's root, with the sandbox started (npm start)";

/** Names or spellings, in a language, of what the headers and the text to sign are made of: expressions, and texts. */
export interface Words {
  readonly time: string;
  readonly signature: string;
  readonly clientKey: string;
  /** `Bearer` and the token. */
  readonly bearer: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly channelId: string;
  text(value: string): string;
}

/** The headers of the call beside Content-Type, each with the expression of its value. */
export function headersOf(input: CodeInput, words: Words): readonly (readonly [name: string, value: string])[] {
  const { isToken, customerToken } = input;
  const shared = [["X-TIMESTAMP", words.time] as const, ["X-SIGNATURE", words.signature] as const];
  if (isToken) return [...shared, ["X-CLIENT-KEY", words.clientKey]];
  const customer = customerToken === undefined ? [] : [["Authorization-Customer", `Bearer ${customerToken}`] as const];
  return [
    ...shared,
    ...(needsToken(input) ? [["Authorization", words.bearer] as const] : []),
    ["X-PARTNER-ID", words.partnerId],
    ["X-EXTERNAL-ID", words.externalId],
    ["CHANNEL-ID", words.channelId],
    ...customer.map(([name, value]) => [name, words.text(value)] as const),
  ];
}

/** The words of a program that holds the values. */
export function textsOf({ partnerId, externalId, channelId }: CodeInput, text: (value: string) => string) {
  return { partnerId: text(partnerId), externalId: text(externalId), channelId: text(channelId), text };
}

/** End of a call's text to sign: expressions, to be joined by colons. */
export function signedParts({ signing }: CodeInput, token: string, hash: string, time: string): string {
  return [...(signing === "symmetric" ? [token] : []), hash, time].join(", ");
}
