/**
 * Check that a browser's request comes from a page of ours: cookies go with requests of other sites, and of other
 * ports.
 */
import type { IncomingHttpHeaders } from "node:http";

/** A page of another origin cannot send it: the browser would ask us first, and gets no leave. */
const consoleHeader = "x-titian-console";

/**
 * Nothing may speak against it, and something must speak for it: our origin, the browser's word, or a header that only
 * our pages can send. A GET has no Origin, and Sec-Fetch-Site is sent to loopback addresses and over https only.
 */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  const { host, origin, "sec-fetch-site": site } = headers;
  const isOurOrigin = origin !== undefined && hostOf(origin) === host?.toLowerCase();
  if (origin !== undefined && !isOurOrigin) return false;
  if (site !== undefined && site !== "same-origin") return false;
  return isOurOrigin || site !== undefined || headers[consoleHeader] !== undefined;
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
