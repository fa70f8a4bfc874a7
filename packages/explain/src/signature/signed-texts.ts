/** The texts that a caller may have signed, by how many mistakes are in them. */
import { hash as digest } from "node:crypto";
import type { Received } from "../received.ts";
import { hashOptions } from "./hash-options.ts";
import { memberOrders, shorterBodies } from "./member-orders.ts";
import { pathOptions } from "./path-options.ts";
import { earlierTimes, timeOptions } from "./time-options.ts";
import { distinct, type Option, type Variation, variation } from "./variation.ts";

export interface SignedText {
  readonly text: string;
  readonly by: readonly Variation[];
}

export interface TextSet {
  /** The text that this mode asks for. */
  readonly right: string;
  /** Texts with that many mistakes; `others`: how many there are beside those of the text. */
  withMistakes(count: number, others: number): Iterable<SignedText>;
  /** Texts with one mistake of a kind that has some hundred spellings: tried last. */
  rare(): Iterable<SignedText>;
}

type Form = (parts: readonly string[]) => string;

/** The parts of the text that have options, in their order. Undefined leaves a part out. */
type Dimensions = readonly (readonly Option[])[];

interface Change {
  /** Place of the part in the text. */
  readonly at: number;
  readonly option: Option;
}

/** Options of a call's text that are common whatever its mode: computed once. */
export interface TextOptions {
  readonly received: Received;
  readonly methods: readonly Option[];
  readonly paths: readonly Option[];
  readonly hashes: readonly Option[];
  readonly times: readonly Option[];
}

export function textOptions(received: Received): TextOptions {
  const { evidence, timestamp } = received;
  const body = evidence.isBodyCut === true ? undefined : (evidence.body ?? new Uint8Array());
  return {
    received,
    methods: methodOptions(evidence.method),
    paths: pathOptions(received),
    hashes: body === undefined ? [] : hashOptions(body, received.partner?.secrets ?? []),
    times: timeOptions(timestamp),
  };
}

function methodOptions(method: string): readonly Option[] {
  const by = [variation("method", "method.case")];
  return distinct<string | undefined>([
    { value: method, by: [] },
    { value: method.toLowerCase(), by },
    { value: method.slice(0, 1) + method.slice(1).toLowerCase(), by },
    ...["GET", "PUT"].map((value) => ({ value, by: [variation("method", "method.other", { method: value })] })),
    { value: undefined, by: [variation("method", "method.leftOut")] },
  ]);
}

/** Texts of a transaction call, in mode 1 with the token. `hash` is the one of the body that is taken for right. */
export function transactionTexts(options: TextOptions, takesToken: boolean, hash?: string): TextSet {
  const { received, methods, paths, hashes, times } = options;
  const ownHashes = hash === undefined ? hashes : [{ value: hash, by: [] }];
  const tokens = tokenOptions(received, takesToken);
  const rare = hash === undefined ? () => rareChanges(received) : () => [];
  return textSet([methods, paths, tokens, ownHashes, times], transactionForms, rare);
}

const [hashPart, timePart] = [3, 4];

function* rareChanges({ evidence, operation, timestamp }: Received): Iterable<Change> {
  const { body = new Uint8Array() } = evidence;
  for (const { text, leftOut } of shorterBodies(body)) {
    const by = [variation("bodyHash", "bodyHash.memberLeftOut", { member: leftOut })];
    yield { at: hashPart, option: { value: digest("sha256", text), by } };
  }
  for (const option of earlierTimes(timestamp)) yield { at: timePart, option };
  const by = [variation("bodyHash", "bodyHash.otherOrder")];
  for (const text of memberOrders(body, Object.keys(operation?.request ?? {}))) {
    yield { at: hashPart, option: { value: digest("sha256", text), by } };
  }
}

/** Texts of 73 and 74. */
export function tokenCallTexts({ received, times }: TextOptions): TextSet {
  const { partner, partnerId } = received;
  const clientKey = received.clientKey || (partner?.clientKey ?? "");
  const keys = [partner?.partnerId, partnerId, clientKey.toLowerCase(), clientKey.toUpperCase(), ""];
  const clientKeys = distinct<string | undefined>([
    { value: clientKey, by: [] },
    ...keys.map((value) => ({ value, by: [variation("header", "clientKey.other")] })),
  ]);
  return textSet([clientKeys, times], tokenForms);
}

const joined: Form = (parts) => parts.join(":");
const barred: Form = (parts) => parts.join("|");

const form = (value: Form, cause: "encoding" | "mode", id: Parameters<typeof variation>[1]): Option<Form> => ({
  value,
  by: [variation(cause, id)],
});

const lineBreaks = (right: Form) => [
  form((parts) => `${right(parts)}\n`, "encoding", "text.lineBreak"),
  form((parts) => `${right(parts)}\r\n`, "encoding", "text.lineBreak"),
];

const separators = (right: string) =>
  [":", "|", "", ".", ",", " ", "\n", "&", `${right} `]
    .filter((separator) => separator !== right)
    .map((separator) => form((parts) => parts.join(separator), "encoding", "text.separator"));

const transactionForms: readonly Option<Form>[] = [
  { value: joined, by: [] },
  ...lineBreaks(joined),
  ...separators(":"),
  form((parts) => joined(parts).toLowerCase(), "encoding", "text.letterCase"),
  form((parts) => joined(parts).toUpperCase(), "encoding", "text.letterCase"),
  form((parts) => joined(swapLast(parts)), "mode", "text.order"),
];

const tokenForms: readonly Option<Form>[] = [
  { value: barred, by: [] },
  ...lineBreaks(barred),
  ...separators("|"),
  form((parts) => barred(parts).toLowerCase(), "encoding", "text.letterCase"),
  form((parts) => barred(parts.toReversed()), "mode", "text.order"),
];

function swapLast(parts: readonly string[]): readonly string[] {
  return [...parts.slice(0, -2), ...parts.slice(-2).toReversed()];
}

function textSet(
  dimensions: Dimensions,
  forms: readonly Option<Form>[],
  rareOptions: () => Iterable<Change> = () => [],
): TextSet {
  const base = dimensions.map(([right]) => right?.value);
  const [rightForm = { value: joined, by: [] }] = forms;

  function write(form_: Form, changes: readonly (readonly [number, string | undefined])[]): string {
    const parts = [...base];
    for (const [at, value] of changes) parts[at] = value;
    return form_(parts.filter((part) => part !== undefined));
  }
  const right = write(rightForm.value, []);

  /** Changes of one part, or of the form, with that many mistakes. */
  function* one(count: number, others: number): Iterable<SignedText> {
    for (const [at, options] of dimensions.entries()) {
      for (const { value, by, isAlone } of options) {
        if (by.length === count && !(isAlone && others > 0)) yield { text: write(rightForm.value, [[at, value]]), by };
      }
    }
    for (const { value, by } of forms) if (by.length === count) yield { text: write(value, []), by };
  }

  function* two(): Iterable<SignedText> {
    const singles = dimensions.map((options) => options.filter((option) => option.by.length === 1 && !option.isAlone));
    for (const [at, options] of singles.entries()) {
      for (const [offset, others] of singles.slice(at + 1).entries()) {
        for (const { value, by } of options) {
          for (const other of others) {
            const text = write(rightForm.value, [
              [at, value],
              [at + 1 + offset, other.value],
            ]);
            yield { text, by: [...by, ...other.by] };
          }
        }
      }
      for (const { value, by } of options) {
        for (const form_ of forms.slice(1, 3)) {
          yield { text: write(form_.value, [[at, value]]), by: [...by, ...form_.by] };
        }
      }
    }
  }

  return {
    right,
    *withMistakes(count, others) {
      if (count === 0) yield { text: right, by: [] };
      else {
        yield* one(count, others);
        if (count === 2) yield* two();
      }
    },
    *rare() {
      for (const { at, option } of rareOptions())
        yield { text: write(rightForm.value, [[at, option.value]]), by: option.by };
    },
  };
}

/** Tokens that callers put into the text, or none: `undefined` leaves the token and its colon out. */
function tokenOptions({ token, customerToken, headers, partner }: Received, takesToken: boolean): readonly Option[] {
  const right = takesToken ? token : undefined;
  const header = headers.authorization;
  const present = takesToken ? "token.changed" : "token.present";
  return distinct<string | undefined>([
    { value: right, by: [] },
    { value: undefined, by: [variation("token", "token.leftOut")] },
    ...(takesToken || token === undefined ? [] : [{ value: token, by: [variation("token", "token.present")] }]),
    { value: "", by: [variation("token", takesToken ? "token.empty" : "token.doubledColon")] },
    ...(token === undefined
      ? []
      : [
          ...[header, `Bearer ${token}`, `bearer ${token}`, `Bearer${token}`].map((value) => ({
            value,
            by: [variation("token", "token.withBearer")],
          })),
          { value: `${token}\n`, by: [variation("token", "token.lineBreak")] },
          { value: `"${token}"`, by: [variation("token", "token.quoted")] },
          { value: token.toLowerCase(), by: [variation("token", present)] },
        ]),
    ...(takesToken ? mistakenTokens(partner?.clientKey) : []),
    ...(customerToken === undefined
      ? []
      : [customerToken, `Bearer ${customerToken}`].map((value) => ({
          value,
          by: [variation("token", "token.customers")],
        }))),
  ]);
}

/** Texts of variables that hold no token, by language. */
const usualWords = ["undefined", "null"];
const otherWords = ["None", "nil", "NaN", "[object Object]", "[object Promise]", "Bearer"];

function mistakenTokens(clientKey: string | undefined): readonly Option[] {
  const named = (word: string) => ({ value: word, by: [variation("token", "token.word", { word })] });
  return [
    ...(clientKey === undefined ? [] : [{ value: clientKey, by: [variation("token", "token.clientKey")] }]),
    ...usualWords.map(named),
    ...otherWords.map((word) => ({ ...named(word), isAlone: true })),
  ];
}
