/** Step 7: which mistake, or which two, the signature verifies with (spec D4). */
import { hashBody, minify } from "@titian/contract";
import type { Received } from "../received.ts";
import type { PartnerSecrets } from "../report.ts";
import { type Decoding, decodeSignature } from "./decode-signature.ts";
import { hmacKeys, keysOfOthers, othersOf } from "./keys.ts";
import { algorithm, digestOracles, hmacOracle, type Oracle } from "./oracle.ts";
import { createRsaBlocks, pkcs1Content, type ReadRsaBlock } from "./rsa-blocks.ts";
import { type RsaKey, rsaOracles } from "./rsa-oracles.ts";
import { type Found, search } from "./search.ts";
import { textOptions, type TextOptions, type TextSet, tokenCallTexts, transactionTexts } from "./signed-texts.ts";
import { type Option, type Variation, variation } from "./variation.ts";

interface Subject {
  readonly received: Received;
  readonly partner: PartnerSecrets;
  readonly known: readonly PartnerSecrets[];
  readonly options: TextOptions;
  /** Texts that are right for the call, most of all the first: the body as received, then minified where that is agreed. */
  readonly own: readonly TextSet[];
  readonly readBlock: ReadRsaBlock;
}

export interface SignatureFinding {
  /** Undefined: neither one mistake nor two explain it. */
  readonly found: Found | undefined;
  /** The text that we verify. */
  readonly right: string;
  /** Clue that is left when nothing was found. */
  readonly clue: "ownKey" | "otherKey" | "length" | "notEncoded";
  /** Bytes of the signature, if it is Base64 or hex. */
  readonly length: number | undefined;
}

export function findMistakes(
  received: Received,
  partner: PartnerSecrets,
  known: readonly PartnerSecrets[],
): SignatureFinding {
  const options = textOptions(received);
  const own = received.kind === "token" ? [tokenCallTexts(options)] : ownTexts(options, partner);
  const readBlock = createRsaBlocks();
  const subject = { received, partner, known, options, own, readBlock };
  const decodings = decodeSignature(received.signature);
  const oracles = decodings.flatMap((decoding) => oraclesOf(subject, decoding));
  const found = search(oracles);
  return {
    found,
    right: own[0]?.right ?? "",
    clue: found === undefined ? clueOf(decodings, subject) : "length",
    length: decodings[0]?.bytes.length,
  };
}

function ownTexts(options: TextOptions, { signing, acceptsMinifiedSignature }: PartnerSecrets): readonly TextSet[] {
  const takesToken = signing === "symmetric";
  const texts = transactionTexts(options, takesToken);
  const { body } = options.received.evidence;
  if (!acceptsMinifiedSignature || body === undefined) return [texts];
  const minified = minify(body);
  return minified === body ? [texts] : [texts, transactionTexts(options, takesToken, hashBody(minified))];
}

/** In the order in which callers make the mistakes; keys of other partners, which may be many, come last. */
function oraclesOf(subject: Subject, decoding: Decoding): readonly Oracle[] {
  const { received, partner, known } = subject;
  const takesHmac = received.kind === "transaction" && partner.signing === "symmetric";
  const hmacForRsa = [algorithm("algorithm.hmacForRsa", "HMAC")];
  const ownKeys = hmacKeys(received, partner);
  return takesHmac
    ? [
        ...hmacOracles(subject, decoding, ownKeys, []),
        ...subject.own.flatMap((texts) => digestOracles(decoding, partner.secrets, texts)),
        ...otherModeOracles(subject, decoding),
        ...hmacOracles(subject, decoding, keysOfOthers(partner, known), []),
      ]
    : [
        ...ownRsaOracles(subject, decoding, []),
        ...hmacOracles(subject, decoding, ownKeys, hmacForRsa),
        ...otherModeOracles(subject, decoding),
      ];
}

function hmacOracles(
  subject: Subject,
  decoding: Decoding,
  keys: readonly Option<Buffer>[],
  mode: readonly Variation[],
): readonly Oracle[] {
  const oracles = subject.own.flatMap((texts) => keys.map((key) => hmacOracle(decoding, key, texts, mode)));
  return oracles.filter((oracle) => oracle !== undefined);
}

function ownRsaOracles(subject: Subject, decoding: Decoding, mode: readonly Variation[]): readonly Oracle[] {
  return subject.own.flatMap((texts) => rsaWith(subject, decoding, texts, mode));
}

function rsaWith(
  { partner, known, readBlock }: Subject,
  decoding: Decoding,
  texts: TextSet,
  mode: readonly Variation[],
): readonly Oracle[] {
  const others = othersOf(partner, known).flatMap(({ partnerId, publicKeys }) =>
    publicKeys.map((pem) => ({ pem, by: [variation("secret", "secret.otherPartners", { partner: partnerId })] })),
  );
  const keys: readonly RsaKey[] = [...partner.publicKeys.map((pem) => ({ pem, by: [] })), ...others];
  return keys.flatMap((key) => rsaOracles(decoding, key, { texts, mode, readBlock }));
}

/** The other mode's algorithm, text, or both; and the text of a token call for a transaction, or the reverse. */
function otherModeOracles(subject: Subject, decoding: Decoding): readonly Oracle[] {
  const { received, partner, options, own } = subject;
  const isToken = received.kind === "token";
  const foreign = isToken ? transactionTexts(options, false) : tokenCallTexts(options);
  const foreignMode = [variation("mode", isToken ? "mode.callText" : "mode.tokenText")];
  const mainKeys: readonly Option<Buffer>[] = partner.secrets.map((secret) => ({ value: Buffer.from(secret), by: [] }));
  const hmac = (texts: TextSet, mode: readonly Variation[]) =>
    mainKeys.map((key) => hmacOracle(decoding, key, texts, mode)).filter((oracle) => oracle !== undefined);
  const both = [...rsaWith(subject, decoding, foreign, foreignMode), ...hmac(foreign, foreignMode)];
  if (isToken) return both;
  if (partner.signing === "asymmetric") {
    const text = transactionTexts(options, true);
    return received.token === undefined ? both : [...hmac(text, [variation("mode", "mode.symmetric")]), ...both];
  }
  return [
    ...rsaWith(subject, decoding, transactionTexts(options, false), [variation("mode", "mode.asymmetric")]),
    ...own.flatMap((texts) => rsaWith(subject, decoding, texts, [algorithm("algorithm.rsaForHmac", "RSA")])),
    ...both,
  ];
}

function clueOf(decodings: readonly Decoding[], { partner, readBlock }: Subject): SignatureFinding["clue"] {
  const [first] = decodings;
  if (first === undefined) return "notEncoded";
  if (first.bytes.length < 128) return "length";
  const blocks = partner.publicKeys.map((pem) => readBlock(pem, first.bytes));
  return blocks.some((block) => block !== undefined && pkcs1Content(block) !== undefined) ? "ownKey" : "otherKey";
}
