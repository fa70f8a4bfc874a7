/** The bytes that a signature's text may stand for. */
import { type Variation, variation } from "./variation.ts";

export interface Decoding {
  readonly bytes: Buffer;
  /** None for standard Base64 and for hex, which are both read. */
  readonly by: readonly Variation[];
}

const base64Text = /^[A-Za-z0-9+/]+={0,2}$/;
const urlText = /^[A-Za-z0-9_-]+={0,2}$/;
const hexText = /^(?:[0-9a-fA-F]{2})+$/;
/** RSA of 8,192 bits as Base64 of hex. */
const lengthMax = 8_192;
/** MD5, SHA-1, SHA-256, SHA-384, SHA-512. */
const digestLengths = new Set([16, 20, 32, 48, 64]);

/** Digests, and RSA signatures of 1,024 to 8,192 bits. */
const isSignature = ({ length }: Buffer) => digestLengths.has(length) || (length >= 128 && length <= 1_024);

export function decodeSignature(text: string): readonly Decoding[] {
  if (text.length > lengthMax) return [];
  const outer = [...plain(text, []), ...wrapped(text)];
  const inner = outer.flatMap(nested);
  return [...outer, ...inner].filter(({ bytes }) => isSignature(bytes));
}

function plain(text: string, by: readonly Variation[]): readonly Decoding[] {
  const found: Decoding[] = [];
  if (hexText.test(text)) found.push({ bytes: Buffer.from(text, "hex"), by });
  const padding = [...by, variation("encoding", "encoding.padding")];
  if (base64Text.test(text)) {
    const bytes = Buffer.from(text, "base64");
    found.push({ bytes, by: bytes.toString("base64") === text ? by : padding });
  } else if (urlText.test(text)) {
    found.push({ bytes: Buffer.from(text, "base64url"), by: [...by, variation("encoding", "encoding.base64url")] });
  }
  return found;
}

/** A signature with something around it or in it. */
function wrapped(text: string): readonly Decoding[] {
  const spaced = [variation("encoding", "encoding.whiteSpace")];
  const found = [
    ...(/\s/.test(text)
      ? [
          ...plain(text.replaceAll(" ", "+"), [variation("encoding", "encoding.plusAsSpace")]),
          ...plain(text.replaceAll(/\s+|\\r|\\n/g, ""), spaced),
        ]
      : []),
    ...(/\\[rn]/.test(text) ? plain(text.replaceAll(/\\[rn]/g, ""), spaced) : []),
    ...(text.includes("%") ? percentEncoded(unescapePercent(text)) : []),
    ...plain(text.replaceAll("\\/", "/").replaceAll(/^["']|["']$/g, ""), [variation("encoding", "encoding.quoted")]),
    ...plain(text.replace(/^[A-Za-z0-9-]+[ =:]\s*/, ""), [variation("encoding", "encoding.prefixed")]),
  ];
  return found.filter(({ by }) => by.length === 1);
}

function percentEncoded(text: string): readonly Decoding[] {
  const joined = text.replaceAll(/\s+/g, "");
  return joined === text
    ? plain(text, [variation("encoding", "encoding.percent")])
    : plain(joined, [variation("encoding", "encoding.percentLineBreaks")]);
}

function unescapePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Bytes that are a text of Base64 or hex themselves. */
function nested({ bytes, by }: Decoding): readonly Decoding[] {
  const text = bytes.toString("latin1");
  const isDigits = /^[0-9a-f]+$/i.test(bytes.toString("hex")) && hexText.test(text);
  if (isDigits) return plainInner(text, by, "encoding.base64OfHex");
  return base64Text.test(text) && text.length >= 24 ? plainInner(text, by, "encoding.twice") : [];
}

function plainInner(text: string, by: readonly Variation[], id: "encoding.base64OfHex" | "encoding.twice") {
  return plain(text, []).map(({ bytes }) => ({ bytes, by: [...by, variation("encoding", id)] }));
}
