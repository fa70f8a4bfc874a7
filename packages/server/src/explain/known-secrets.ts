/** Secrets that stand where they do not belong: hidden by their values in what is shown of a call, and named. Pure. */
import type { CallEvidence, PartnerSecrets } from "./report.ts";

export interface KnownSecret {
  readonly value: string;
  /** Whose it is; undefined: the service's own. */
  readonly partnerId?: string;
}

const hidden = "•••";
/** A shorter one might be an ordinary word of the call. */
const lengthMin = 12;
const formsMax = 1_000;
/** Stands where a sentence cuts a text off. */
const cutMark = "…";
/** Fewer characters of a secret in front of it tell nothing. */
const cutMin = 3;

export function secretsOf(known: readonly PartnerSecrets[]): readonly KnownSecret[] {
  return known.flatMap(({ partnerId, secrets }) => secrets.map((value) => ({ value, partnerId })));
}

/** The text without the secrets, in whatever form they stand in it. */
export function hideSecrets(text: string, secrets: readonly KnownSecret[]): string {
  let shown = text;
  for (const form of secrets.flatMap(formsOf).slice(0, formsMax)) {
    if (shown.includes(form)) shown = shown.replaceAll(form, hidden);
  }
  return shown;
}

/** The same of every text in a report, whose sentences cut long texts off. */
export function hideSecretsIn<Value>(report: Value, secrets: readonly KnownSecret[]): Value {
  if (secrets.length === 0) return report;
  return JSON.parse(JSON.stringify(report), (_name, member: unknown) =>
    typeof member === "string" ? hideCutOff(hideSecrets(member, secrets), secrets) : member,
  ) as Value;
}

/** Without the start of a secret in front of a cut. */
function hideCutOff(text: string, secrets: readonly KnownSecret[]): string {
  const parts = text.split(cutMark);
  if (parts.length === 1) return text;
  const forms = secrets.flatMap(formsOf).slice(0, formsMax);
  return parts.map((part, at) => (at < parts.length - 1 ? hideStart(part, forms) : part)).join(cutMark);
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

/** The first part of the call that holds a partner's secret: a header by its name, `path` or `body`. */
export function findHeldSecret(
  { rawHeaders, target, body }: CallEvidence,
  secrets: readonly KnownSecret[],
): { readonly part: string; readonly partnerId: string } | undefined {
  const parts: (readonly [string, string])[] = [["path", target]];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) parts.push([rawHeaders[at] ?? "", rawHeaders[at + 1] ?? ""]);
  if (body !== undefined) parts.push(["body", Buffer.from(body).toString("utf8")]);
  for (const secret of secrets) {
    const { partnerId } = secret;
    const found = parts.find(([, text]) => formsOf(secret).some((form) => text.includes(form)));
    if (found !== undefined && partnerId !== undefined) return { part: found[0], partnerId };
  }
  return undefined;
}

/** As it is, and encoded as clients do: for URLs, in JSON, in Base64. */
function formsOf({ value }: KnownSecret): readonly string[] {
  if (value.length < lengthMin) return [];
  const bytes = Buffer.from(value);
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  const inJson = JSON.stringify(value).slice(1, -1);
  return [...new Set([value, encodeURIComponent(value), inJson, base64, bytes.toString("base64url")])];
}
