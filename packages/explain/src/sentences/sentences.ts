/**
 * Everything that is said about a refused call, in English and Indonesian. The names are stable: translations into other
 * languages and programs go by them. `{name}` stands for a value of the call.
 */
import { attemptSentences } from "./attempt-sentences.ts";
import { bodySentences } from "./body-sentences.ts";
import { headSentences } from "./head-sentences.ts";
import { hashSentences } from "./hash-sentences.ts";
import { keySentences } from "./key-sentences.ts";
import type { Sentence } from "./sentence.ts";
import { textSentences } from "./text-sentences.ts";

const all = {
  ...headSentences,
  ...textSentences,
  ...hashSentences,
  ...keySentences,
  ...bodySentences,
  ...attemptSentences,
} as const;

export type SentenceId = keyof typeof all;

export const sentences: Readonly<Record<SentenceId, Sentence>> = all;
