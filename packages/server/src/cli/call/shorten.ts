/** Long secrets and signatures on a screen: enough to tell two apart, too little to use. */
import { headerNames } from "@titian/contract";
import { formatJson } from "../output.ts";

const shownLength = 10;

/** `eyJhbGciOi… (412 characters)`; short texts stay whole. */
export function shorten(text: string): string {
  return text.length <= shownLength * 2 ? text : `${text.slice(0, shownLength)}… (${text.length} characters)`;
}

const secretHeaders: readonly string[] = [
  headerNames.authorization,
  headerNames.authorizationCustomer,
  headerNames.signature,
];

/** The headers as lines, tokens and signature shortened unless secrets are shown; a customer's token always is. */
export function formatHeaders(headers: Readonly<Record<string, string>>, showSecrets: boolean): readonly string[] {
  return Object.entries(headers).map(([name, value]) => {
    const isShown = showSecrets && name !== headerNames.authorizationCustomer;
    if (isShown || !secretHeaders.includes(name)) return `${name}: ${value}`;
    const [, scheme = "", text = ""] = /^(Bearer )?(.*)$/.exec(value) ?? [];
    return `${name}: ${scheme}${shorten(text)}`;
  });
}

const secretFields: ReadonlySet<string> = new Set(["authCode", "refreshToken"]);

/** The body as readable JSON, what service 74 spends shortened unless secrets are shown. */
export function formatBody(body: Uint8Array, showSecrets: boolean): string {
  return formatJson(
    JSON.parse(new TextDecoder().decode(body), (name, value: unknown) =>
      !showSecrets && secretFields.has(name) && typeof value === "string" ? shorten(value) : value,
    ),
  );
}
