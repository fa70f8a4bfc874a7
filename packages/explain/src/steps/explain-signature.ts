/** Step 7: which one or two mistakes the signature verifies with, in words. */
import { hashBody } from "@titian/contract";
import { differsAt } from "../differs-at.ts";
import type { Received } from "../received.ts";
import type { Diagnosis, Difference, PartnerSecrets } from "../report.ts";
import { masked, shown } from "../shown.ts";
import { type SignatureFinding, findMistakes } from "../signature/find-mistakes.ts";
import type { Found } from "../signature/search.ts";
import { diagnose, type Saying, state } from "../state.ts";

export interface SignatureExplanation {
  readonly diagnosis: Diagnosis;
  readonly differsAt: Difference | undefined;
}

const hmacLength = 64;
/** Hex digits of the body's hash that are enough to compare. */
const hashShown = 12;

export function explainSignature(
  received: Received,
  partner: PartnerSecrets,
  known: readonly PartnerSecrets[],
): SignatureExplanation {
  const finding = findMistakes(received, partner, known);
  const { found } = finding;
  if (found === undefined || found.by.length === 0) {
    return { diagnosis: explainNothing(received, partner, finding), differsAt: undefined };
  }
  const { token, customerToken } = received;
  const secrets = [token, customerToken, ...partner.secrets].filter((text) => text !== undefined && text !== "");
  return {
    diagnosis: { ...causeOf(found), ...state(found.by.map(shownSaying)) },
    differsAt: differsAt(finding.right, found.text, secrets as readonly string[]),
  };
}

/** Causes, alphabetical: two mistakes in one part have that part's name once. */
function causeOf({ by }: Found): Pick<Diagnosis, "cause" | "part"> {
  const causes = [...new Set(by.map(({ cause }) => cause))].toSorted();
  return { cause: causes.join("+"), part: causes.join("+") };
}

function shownSaying({ id, parameters = {} }: Saying): Saying {
  const values = Object.entries(parameters).map(([name, value]) => [name, shown(value, 120)]);
  return { id, parameters: Object.fromEntries(values) as Readonly<Record<string, string>> };
}

function explainNothing(
  received: Received,
  partner: PartnerSecrets,
  { found, clue, length }: SignatureFinding,
): Diagnosis {
  const say = (id: Parameters<typeof diagnose>[2], parameters = {}) => diagnose("unknown", "signature", id, parameters);
  if (found !== undefined) return say("signature.verifies");
  const takesHmac = received.kind === "transaction" && partner.signing === "symmetric";
  const algorithm = takesHmac ? "HMAC-SHA512" : "RSA-SHA256";
  const expected = takesHmac ? String(hmacLength) : "256 (2,048 bits)";
  const characters = String(received.signature.length);
  if (clue === "notEncoded") return say("signature.notEncoded", { characters, algorithm, expected });
  if (clue === "ownKey") return say("signature.ownKey");
  if (clue === "otherKey" && !takesHmac) return say("signature.otherKey", { partner: partner.partnerId });
  if (takesHmac && length !== hmacLength)
    return say("signature.wrongLength", { length: String(length), algorithm, expected });
  if (!takesHmac) return say("signature.wrongLength", { length: String(length), algorithm, expected });
  if (received.evidence.isBodyCut === true) return say("signature.bodyCut");
  return say("signature.unknown", { hash: hashBody(received.evidence.body ?? new Uint8Array()).slice(0, hashShown) });
}

/** Secret in a query, which is part of the path. */
const secretInQuery = /([?&][^=&:?]*(?:token|secret|password|pin|key|signature)[^=&:?]*=)[^&:]+/gi;

/** The text with its token masked, and secrets in the query. */
export function maskToken(text: string, token: string | undefined): string {
  const withoutToken = token === undefined || token === "" ? text : text.replaceAll(token, () => masked(token));
  return withoutToken.replaceAll(secretInQuery, "$1…");
}
