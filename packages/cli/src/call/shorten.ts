/** Shortens secrets and signatures for display. */
import { headerNames } from "@titian/contract";
import { formatJson } from "../output.ts";

const shownLength = 10;

/** `eyJhbGciOi… (412 characters)`; short strings are unchanged. */
export function shorten(text: string): string {
  return text.length <= shownLength * 2 ? text : `${text.slice(0, shownLength)}… (${text.length} characters)`;
}

const secretHeaders: readonly string[] = [
  headerNames.authorization,
  headerNames.authorizationCustomer,
  headerNames.signature,
];

/** Headers as lines; tokens and signature are shortened unless secrets are shown, a customer token always. */
export function formatHeaders(headers: Readonly<Record<string, string>>, showSecrets: boolean): readonly string[] {
  return Object.entries(headers).map(([name, value]) => {
    const isShown = showSecrets && name !== headerNames.authorizationCustomer;
    if (isShown || !secretHeaders.includes(name)) return `${name}: ${value}`;
    const [, scheme = "", text = ""] = /^(Bearer )?(.*)$/.exec(value) ?? [];
    return `${name}: ${scheme}${shorten(text)}`;
  });
}

const secretFields: ReadonlySet<string> = new Set(["authCode", "refreshToken"]);

/** The body as indented JSON; the credentials of service 74 are shortened unless secrets are shown. */
export function formatBody(body: Uint8Array, showSecrets: boolean): string {
  return formatJson(
    JSON.parse(new TextDecoder().decode(body), (name, value: unknown) =>
      !showSecrets && secretFields.has(name) && typeof value === "string" ? shorten(value) : value,
    ),
  );
}
