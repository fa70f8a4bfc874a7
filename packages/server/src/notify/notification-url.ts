/** URLs that notifications are sent to, and what of them is signed and shown. */
import type { SignedPath } from "../interfaces/notifications.ts";

/** The URL of a service's path at a partner's address: the address's own path stands before it, its query behind it. */
export function notificationUrl(address: string, version: string, path: string): URL {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${version}/${path}`;
  return url;
}

/** Part of the URL's path that is signed: a receiver behind a base may not know the base, nor the query. */
export function signedPathOf(url: URL, signedPath: SignedPath, version: string, path: string): string {
  return signedPath === "service" ? `/${version}/${path}` : url.pathname + url.search;
}

/** The URL with the names of its query and without their values, which may be secrets. */
export function maskQuery(url: string): string {
  const [base = "", ...query] = url.split("?");
  if (query.length === 0) return base;
  const parameters = query.join("?").split("&");
  // A parameter without a name may be a key all by itself.
  const masked = parameters.map((one) => (one.includes("=") ? `${one.slice(0, one.indexOf("="))}=…` : "…"));
  return `${base}?${masked.join("&")}`;
}
