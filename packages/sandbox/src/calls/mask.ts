/** Hides tokens, secrets and signatures in what is shown of a call. What is kept for explanations is not changed. */

const hidden = "•••";
/** Characters of a token or signature that are shown: enough to tell two apart. */
const shownStart = 6;

const secretHeaders =
  /^(?:authorization(?:-customer)?|proxy-authorization|x-signature|cookie|.*(?:secret|password|token|api-?key|private).*)$/i;
const secretNames =
  /^(?:access_?token|refresh_?token|id_?token|token|auth_?code|authorization_?code|code|client_?secret|secret|password|private_?key|pin|otp)$/i;

/** The value of a header. Of a token or signature a few characters are left, and how long it is. */
export function maskHeader(name: string, value: string): string {
  if (secretHeaders.test(name)) return maskScheme(value);
  return value.replaceAll(bearer, (_whole, scheme: string, token: string) => `${scheme}${maskText(token)}`);
}

const bearer = /(\bbearer\s+)(\S+)/gi;

function maskScheme(value: string): string {
  const [, scheme = "", secret = ""] = /^(\s*(?:bearer|basic|token)\s+)?([^]*)$/i.exec(value) ?? [];
  return scheme + maskText(secret);
}

function maskText(secret: string): string {
  if (secret === "") return "";
  const start = secret.length >= 4 * shownStart ? secret.slice(0, shownStart) : "";
  return `${start}${hidden} (${secret.length} characters)`;
}

/** A text of JSON, also one that the end cuts off: each is matched once, so the time is linear in any body. */
const jsonText = /"((?:[^"\\]|\\[^])*)("|\\?$)/g;
/** Of a form, or of a query. */
const formMember = /(^|[?&])([^=&?\s"{}]{1,40})=([^&\s"]*)/g;

/** The text of a body: members of JSON and of forms that hold secrets by their names. */
export function maskBody(text: string): string {
  let name = "";
  let nameEndsAt = 0;
  const masked = text.replaceAll(jsonText, (whole, content: string, end: string, at: number) => {
    const isValue = secretNames.test(name) && /^\s*:\s*$/.test(text.slice(nameEndsAt, at));
    name = nameOf(content);
    nameEndsAt = at + whole.length;
    return isValue && content !== "" ? `"${maskText(content)}${end}` : whole;
  });
  return maskForm(masked);
}

/** Path and query. */
export function maskTarget(target: string): string {
  return target.includes("=") ? maskForm(target) : target;
}

function maskForm(text: string): string {
  return text.replaceAll(formMember, (whole, start: string, name: string, value: string) =>
    secretNames.test(name) && value !== "" ? `${start}${name}=${hidden}` : whole,
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
