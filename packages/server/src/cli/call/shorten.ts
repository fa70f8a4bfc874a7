/** Long secrets and signatures on a screen: enough to tell two apart, too little to use. */
import { headerNames } from "@titian/contract";

const shownLength = 10;

/** `eyJhbGciOi… (412 characters)`; short texts stay whole. */
export function shorten(text: string): string {
  return text.length <= shownLength * 2 ? text : `${text.slice(0, shownLength)}… (${text.length} characters)`;
}

/** The headers as lines, token and signature shortened unless secrets are shown. */
export function formatHeaders(headers: Readonly<Record<string, string>>, showSecrets: boolean): readonly string[] {
  const long: readonly string[] = [headerNames.authorization, headerNames.signature];
  return Object.entries(headers).map(([name, value]) => {
    if (showSecrets || !long.includes(name)) return `${name}: ${value}`;
    const [, scheme = "", text = ""] = /^(Bearer )?(.*)$/.exec(value) ?? [];
    return `${name}: ${scheme}${shorten(text)}`;
  });
}
