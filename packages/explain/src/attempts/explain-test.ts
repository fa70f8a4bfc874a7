/** Result of a test notification in a sentence: what the receiver verifies, where trying its usual mistakes has shown it. Pure. */
import type { Statement } from "../report.ts";
import { shown } from "../shown.ts";
import { type Saying, state } from "../state.ts";
import { explainAttempt, type FailedAttempt } from "./explain-attempt.ts";

/** A mistake of receivers in words. */
export interface MistakeWords {
  readonly name: string;
  /** Completes "The receiver". */
  readonly does: string;
  /** Completes "it". */
  readonly correctly: string;
  readonly translations: { readonly id: string };
}

export interface KeptTest extends FailedAttempt {
  /** Absent: accepted. */
  readonly failure?: string | undefined;
  readonly providerKeySha256: string;
  readonly mistake?: MistakeWords | undefined;
  /** Settings that it verifies, where they are others than the partner's. */
  readonly signing?: "symmetric" | "asymmetric" | undefined;
  readonly signedPath?: "whole" | "service" | undefined;
  /** True: it verified the very text that was signed. */
  readonly isTextRight?: boolean | undefined;
}

export const mistakeSentence = ({ does, correctly }: Pick<MistakeWords, "does" | "correctly">): string =>
  `The receiver ${does}: it ${correctly}.`;

/** Undefined: there was no reply, and the failure speaks for itself. */
export function explainTest(test: KeptTest): Statement | undefined {
  const { failure, mistake, signing, signedPath, providerKeySha256: key } = test;
  if (failure === undefined) return state([{ id: "test.accepted" }]);
  if (mistake !== undefined) {
    const { name, translations } = mistake;
    return {
      sentence: mistakeSentence(mistake),
      sentenceId: "test.mistake",
      parameters: { mistake: name },
      translations,
    };
  }
  if (signing !== undefined || signedPath !== undefined) return state(sayingsOfSettings(test));
  if (test.isTextRight) return state([{ id: "test.sameText", parameters: { key } }]);
  const said = explainAttempt(test);
  // That sentence advises this very test.
  return said?.sentenceId === "attempt.signature" ? state([{ id: "test.signature", parameters: { key } }]) : said;
}

function sayingsOfSettings({ partnerId, signing, signedPath }: KeptTest): readonly Saying[] {
  const options = [
    ...(signing === undefined ? [] : [` --notification-signing ${signing}`]),
    ...(signedPath === undefined ? [] : [` --notification-signed-path ${signedPath}`]),
  ].join("");
  return [
    ...(signing === undefined
      ? []
      : [{ id: "test.mode", parameters: { mode: signing === "symmetric" ? "1" : "2" } } as const]),
    ...(signedPath === undefined
      ? []
      : [{ id: signedPath === "whole" ? "test.wholePath" : "test.servicePath" } as const]),
    { id: "test.change", parameters: { partner: shown(partnerId), options } },
  ];
}
