/**
 * Host names under which a service is called. A page of another site can have its own name lead to this machine (DNS
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

/** True for a Host header with an address, a loopback name, or one of these names. A page of another site has a name. */
export function createServedHosts(names: readonly string[]): (host: string | undefined) => boolean {
  const served = new Set(names.map((name) => name.toLowerCase()));
  let last: string | undefined;
  return (host) => {
    // The calls of one partner come under one name.
    if (host !== undefined && host === last) return true;
    const name = hostNameOf(host);
    const isServed = name !== undefined && (isIP(name) !== 0 || isLoopbackName(name) || served.has(name));
    if (isServed) last = host;
    return isServed;
  };
}
