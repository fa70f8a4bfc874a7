/** Hides tokens, secrets and signatures in what is shown of a call. What is kept for explanations is not changed. */
import { isSecretName } from "./secret-names.ts";

const hidden = "•••";
/** Characters of a token or signature that are shown: enough to tell two apart. */
const shownStart = 6;

/** The value of a header. Of a token or signature a few characters are left, and how long it is. */
export function maskHeader(name: string, value: string): string {
  if (isSecretName(name)) return maskScheme(value);
  return value.replaceAll(bearer, (_whole, scheme: string, token: string) => `${scheme}${maskText(token)}`);
}

const bearer = /(\bbearer\s+)(\S+)/gi;

function maskScheme(value: string): string {
  const [, scheme = "", secret = ""] = /^(\s*(?:bearer|basic|token)\s+)?([^]*)$/i.exec(value) ?? [];
  return scheme + maskText(secret);
}

/** Mask of a token that was found by its form. */
const maskedBefore = /^[\w-]{6}••• \(\d+ characters\)$/;

function maskText(secret: string): string {
  if (secret === "" || maskedBefore.test(secret)) return secret;
  const start = secret.length >= 4 * shownStart ? secret.slice(0, shownStart) : "";
  return `${start}${hidden} (${secret.length} characters)`;
}

/** Parts of JSON, also of one that is malformed or cut off: each character is matched once, so any body takes linear time. */
const jsonPart = /"((?:[^"\\]|\\[^])*)(?:"|\\?$)|[{}[\]:,]|[^\s"{}[\]:,]+/g;
const jsonText = /^"((?:[^"\\]|\\[^])*)("|\\?)$/;
const jsonMark = /^[{}[\]:,]$/;
/** Member of a form, or of a query. */
const formMember = /(^|[?&])([^=&?\s"{}]{1,40})=([^&\s"]*)/g;

/** The text of a body: members of JSON and of forms that hold secrets by their names, whatever their values are. */
export function maskBody(text: string): string {
  let masked = "";
  let copiedTo = 0;
  for (const { start, end } of secretValues(text)) {
    masked += text.slice(copiedTo, start) + maskValue(text.slice(start, end));
    copiedTo = end;
  }
  return maskForm(masked + text.slice(copiedTo));
}

interface Span {
  /** Undefined until its first part was met. */
  start: number | undefined;
  end: number;
  /** Objects and lists that are open in it. */
  depth: number;
}

/** From behind the colon to the comma or bracket that ends the member: more than one value where a comma is missing. */
function* secretValues(text: string): Iterable<{ readonly start: number; readonly end: number }> {
  let name = "";
  let span: Span | undefined;
  for (const { 0: part, 1: content, index } of text.matchAll(jsonPart)) {
    if (span !== undefined && !(span.depth === 0 && isEnd(part))) {
      span.start ??= index;
      span.end = index + part.length;
      span.depth += depthOf(part);
      continue;
    }
    if (span?.start !== undefined) yield { start: span.start, end: span.end };
    span = part === ":" && isSecretName(name) ? { start: undefined, end: index, depth: 0 } : undefined;
    name = jsonMark.test(part) ? "" : nameOf(content ?? part.replaceAll("'", ""));
  }
  if (span?.start !== undefined) yield { start: span.start, end: span.end };
}

const isEnd = (part: string) => part === "," || part === "}" || part === "]";

function depthOf(part: string): number {
  if (part === "{" || part === "[") return 1;
  return part === "}" || part === "]" ? -1 : 0;
}

/** One text shows how long it is; of anything else nothing is shown, so that no start of a short secret is. */
function maskValue(value: string): string {
  const [, content, end = ""] = jsonText.exec(value) ?? [];
  if (content === undefined) return /^(?:null|true|false)$/.test(value) ? value : `"${hidden}"`;
  return content === "" ? value : `"${maskText(content)}${end}`;
}

/** Path and query. */
export function maskTarget(target: string): string {
  return target.includes("=") ? maskForm(target) : target;
}

function maskForm(text: string): string {
  return text.replaceAll(formMember, (whole, start: string, name: string, value: string) =>
    isSecretName(name) && value !== "" ? `${start}${name}=${hidden}` : whole,
  );
}

const nameLengthMax = 200;

/** The name that an escaped one stands for. */
function nameOf(text: string): string {
  if (text.length > nameLengthMax) return "";
  if (!text.includes("\\")) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
