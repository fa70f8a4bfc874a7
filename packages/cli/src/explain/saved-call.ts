/** A call saved to a file: read from raw HTTP, a curl command line, a HAR, or JSON. Nothing is ever sent. */
import { usageError } from "../cli-error.ts";
import { visible } from "../tables/plain.ts";

export interface SavedCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** Undefined: the file does not have it. */
  readonly body: Uint8Array | undefined;
  /** When it was sent (epoch ms), if the file says. */
  readonly at?: number;
  /** Response to it, if the file has one. */
  readonly response?: { readonly code: string; readonly message: string };
  /** Remarks for the reader of the file. */
  readonly remarks: readonly string[];
}

/** Path and query of a URL or of a path, and the host of a URL. Nothing is decoded or normalized. */
export function splitUrl(url: string): { readonly target: string; readonly host?: string } {
  const found = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)([^#]*)/i.exec(url);
  if (found === null) {
    if (!url.startsWith("/")) throw usageError(`"${visible(url.slice(0, 100))}" is neither a URL nor a path.`);
    return { target: url };
  }
  const [, authority = "", rest = ""] = found;
  return { target: rest === "" ? "/" : rest, host: authority.replace(/^.*@/, "") };
}

/** The headers with the host of the URL, where they have none. */
export function withHost(rawHeaders: readonly string[], host: string | undefined): readonly string[] {
  const has = rawHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
  return has || host === undefined ? rawHeaders : ["Host", host, ...rawHeaders];
}

/** Code and message in the text of a response. */
export function responseIn(text: string): SavedCall["response"] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { responseCode, responseMessage } = value as Readonly<Record<string, unknown>>;
    if (typeof responseCode !== "string") return undefined;
    return { code: responseCode, message: typeof responseMessage === "string" ? responseMessage : "" };
  } catch {
    return undefined;
  }
}
