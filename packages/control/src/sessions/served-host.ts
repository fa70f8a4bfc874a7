/**
 * Under which host names the console is served. A page of another site can have its own name lead to this machine (DNS
 * rebinding): to the browser it is then of one origin with us, and only the Host header tells.
 */
import { isIP } from "node:net";

/** The name in a Host header, or of a URL's host: in lower case, without port and brackets; undefined: it is none. */
export function hostNameOf(host: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

/** Names that no name server can make another machine's. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || isLoopbackAddress(name);
}

export function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

const everyAddress: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * True when a Host header names us: a loopback name, or the host that the service listens at. Where that is every
 * address, any address: a page of another site has a name, never an address of ours.
 */
export function isServedHost(host: string | undefined, listensAt: string): boolean {
  const name = hostNameOf(host);
  if (name === undefined) return false;
  const isAddressOfOurs = everyAddress.has(listensAt) && isIP(name) !== 0;
  return isLoopbackName(name) || name === listensAt.toLowerCase() || isAddressOfOurs;
}
