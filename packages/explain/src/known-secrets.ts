/** Secrets that stand where they do not belong: found by their values or their form, and hidden in what is shown of a call. Pure. */
import type { CallEvidence, PartnerSecrets } from "./report.ts";
import { shapesIn } from "./secrets/shapes.ts";
import { spellingsOf } from "./secrets/spellings.ts";
import { createValueIndex } from "./secrets/value-index.ts";

export interface KnownSecret {
  readonly value: string;
  /** Owner; undefined: the service itself. */
  readonly partnerId?: string | undefined;
}

interface FoundSecret {
  /** In the text as it stands, escapes and all. */
  readonly start: number;
  readonly end: number;
  readonly kind: "value" | "token" | "privateKey";
  readonly partnerId?: string | undefined;
  /** Without escapes. */
  readonly value: string;
}

export interface SecretFinder {
  /** In any spelling: as it is, escaped for URLs and in JSON, in Base64. In no order, and some of them twice. */
  find(text: string): readonly FoundSecret[];
}

const hidden = "•••";
/** A shorter one might be an ordinary word, or a part of one: it is found where it stands by itself. */
const partMin = 12;
const wordMin = 4;
/** Stands where a sentence cuts a text off. */
const cutMark = "…";
/** Fewer characters of a secret beside it tell nothing. */
const cutMin = 3;
/** Characters of a token that are shown: enough to tell two apart. */
const shownStart = 6;

export function secretsOf(known: readonly Pick<PartnerSecrets, "partnerId" | "secrets">[]): readonly KnownSecret[] {
  return known.flatMap(({ partnerId, secrets }) => secrets.map((value) => ({ value, partnerId })));
}

/** Its time depends on the text alone, however many secrets there are. */
export function createSecretFinder(known: Iterable<KnownSecret>): SecretFinder {
  const all = [...known];
  const long = all.filter(({ value }) => value.length >= partMin);
  const index = createValueIndex(
    long.map((secret) => [secret.value, secret] as const),
    partMin,
  );
  const short = all.filter(({ value }) => value.length < partMin && value.length >= wordMin);
  const words = new Map(short.map((secret) => [secret.value, secret] as const));
  return {
    find(text) {
      const found: FoundSecret[] = [];
      if (text.length < (words.size > 0 ? wordMin : partMin)) return found;
      for (const { text: spelling, place } of spellingsOf(text)) {
        const add = (from: number, to: number, what: Pick<FoundSecret, "kind" | "partnerId">) => {
          const [start, end] = place(from, to);
          found.push({ start, end, value: spelling.slice(from, to), ...what });
        };
        for (const { start, end, owner } of index.find(spelling)) {
          add(start, end, { kind: "value", partnerId: owner.partnerId });
        }
        for (const { start, end, kind } of shapesIn(spelling)) add(start, end, { kind });
        if (words.size === 0) continue;
        for (const { 0: word, index: at } of spelling.matchAll(/[^\s"'=&,;:/?]+/g)) {
          const secret = words.get(word);
          if (secret !== undefined) add(at, at + word.length, { kind: "value", partnerId: secret.partnerId });
        }
      }
      return found;
    },
  };
}

/** The text without the secrets, in whatever form they stand in it. */
export function hideSecrets(text: string, finder: SecretFinder): string {
  const found = finder.find(text);
  if (found.length === 0) return text;
  let shown = "";
  let copiedTo = 0;
  for (const { start, end, kind } of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= copiedTo) continue;
    // One that overlaps another is hidden with it.
    if (start >= copiedTo) {
      const secret = text.slice(start, end);
      shown += text.slice(copiedTo, start) + (kind === "token" ? maskToken(secret) : hidden);
    }
    copiedTo = end;
  }
  return shown + text.slice(copiedTo);
}

function maskToken(token: string): string {
  return `${token.slice(0, shownStart)}${hidden} (${token.length} characters)`;
}

/** The same of every text in what is said of a call, whose sentences cut long texts off. */
export function hideSecretsIn<Said>(said: Said, evidence: CallEvidence, finder: SecretFinder): Said {
  const forms = [
    ...new Set(partsOf(evidence).flatMap(([, text]) => finder.find(text).flatMap((one) => formsOf(one, text)))),
  ];
  return JSON.parse(JSON.stringify(said), (_name, member: unknown) =>
    typeof member === "string" ? hideCutOff(hideSecrets(member, finder), forms) : member,
  ) as Said;
}

/**
 * Forms of a secret that may stand beside a cut: as it was sent, and as it may be written anew. A token's start may be
 * shown.
 */
function formsOf({ start, end, value, kind }: FoundSecret, text: string): readonly string[] {
  if (kind === "token") return [];
  const sent = text.slice(start, end);
  return [
    sent,
    value,
    encodeURIComponent(value.toWellFormed()),
    ...[sent, value].map((one) => JSON.stringify(one).slice(1, -1)),
  ];
}

/** Without what a cut leaves of one of the forms: its start in front of one, its end behind one, its middle between two. */
function hideCutOff(text: string, forms: readonly string[]): string {
  const parts = text.split(cutMark);
  if (parts.length === 1 || forms.length === 0) return text;
  const last = parts.length - 1;
  return parts
    .map((part, at) => {
      if (at > 0 && at < last && part.length >= cutMin && forms.some((form) => form.includes(part))) return hidden;
      const begun = at < last ? hideStart(part, forms) : part;
      return at > 0 ? hideEnd(begun, forms) : begun;
    })
    .join(cutMark);
}

/** Without the start of one of the forms at the text's end. */
function hideStart(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = Math.min(text.length, form.length - 1); length >= cutMin; length -= 1) {
      if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}${hidden}`;
    }
  }
  return text;
}

/** Without the end of one of the forms at the text's start. */
function hideEnd(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    for (let length = Math.min(text.length, form.length - 1); length >= cutMin; length -= 1) {
      if (text.startsWith(form.slice(-length))) return `${hidden}${text.slice(length)}`;
    }
  }
  return text;
}

interface HeldSecret {
  /** A header by its name, `path` or `body`. */
  readonly part: string;
  /** Owner of the client secret; undefined: it is a private key. */
  readonly owner: string | undefined;
}

/** The first part of the call that holds a partner's secret, or else a private key. */
export function findHeldSecret(evidence: CallEvidence, finder: SecretFinder): HeldSecret | undefined {
  let key: HeldSecret | undefined;
  for (const [part, text] of partsOf(evidence)) {
    for (const { partnerId, kind } of finder.find(text)) {
      if (partnerId !== undefined) return { part, owner: partnerId };
      if (kind === "privateKey") key ??= { part, owner: undefined };
    }
  }
  return key;
}

function partsOf({ rawHeaders, target, body }: CallEvidence): readonly (readonly [string, string])[] {
  const parts: (readonly [string, string])[] = [["path", target]];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    parts.push([name, name], [name, rawHeaders[at + 1] ?? ""]);
  }
  if (body !== undefined) parts.push(["body", Buffer.from(body).toString("utf8")]);
  return parts;
}
