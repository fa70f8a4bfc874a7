/** Every mistake, and pairs of them. */
import { bodyMistakes } from "./body-mistakes.ts";
import { headMistakes } from "./head-mistakes.ts";
import { jsonMistakes } from "./json-mistakes.ts";
import { keyMistakes } from "./key-mistakes.ts";
import type { Mistake } from "./mistake.ts";
import { mode2Mistakes } from "./mode-2-mistakes.ts";
import { textMistakes } from "./text-mistakes.ts";

export const singles: readonly Mistake[] = [
  ...textMistakes,
  ...bodyMistakes,
  ...keyMistakes,
  ...mode2Mistakes,
  ...headMistakes,
  ...jsonMistakes,
];

const named = (name: string): Mistake => {
  const found = singles.find((single) => single.name === name);
  if (found === undefined) throw new Error(`There is no mistake "${name}"`);
  return found;
};

/** Two at once. */
export const pairs: readonly Mistake[] = [
  ["path without version", "no token"],
  ["path without version", "Bearer before the token"],
  ["path with host", "hash in capitals"],
  ["path with a slash at its end", "time in UTC"],
  ["Bearer before the token", "hash in Base64"],
  ["hash of nothing", "a line break behind the secret"],
  ["json_encode without flags", "path without version"],
  ["keys sorted", "time without zone"],
  ["time with milliseconds", "method in lower case"],
  ["HMAC-SHA256", "hash in capitals"],
  ["HMAC-SHA256", "base64url"],
  ["a line break behind the secret", "path without version"],
  ["another partner's secret", "no token"],
  ["base64url", "time in UTC"],
  ["Base64 of the hex", "path without version"],
  ["no padding", "hash in capitals"],
  ["the client key", "hash in Base64"],
  ["a line break behind the text", "path without version"],
  ["RSA instead of HMAC", "path without version"],
  ["as in mode 2", "hash in capitals"],
  ["the body itself", "no token"],
  ["undefined", "path without version"],
].map(([a = "", b = ""]) => {
  const [first, second] = [named(a), named(b)];
  return {
    ...first,
    name: `${a} + ${b}`,
    cause: [first.cause, second.cause].sort().join("+"),
    sentenceId: [first.sentenceId, second.sentenceId].sort().join("+"),
    make: (draft, signers) => {
      first.make(draft, signers);
      second.make(draft, signers);
    },
  };
});
