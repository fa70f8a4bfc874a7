/** Allow lists of callers: IP addresses and CIDR ranges, IPv4 and IPv6 (spec D2 step 5, D3). */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

export interface AddressList {
  readonly isEmpty: boolean;
  has(address: string): boolean;
}

/** The list of these entries (`10.0.0.1`, `10.0.0.0/8`, `2001:db8::/32`). An entry that is neither matches nothing. */
export function createAddressList(entries: readonly string[]): AddressList {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  return {
    isEmpty: entries.length === 0,
    has: (address) => {
      const family = isIP(address);
      return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
    },
  };
}

/** An unreadable entry is left out, so a mistake in a list can only reject a caller, never let one in. */
function addEntry(list: BlockList, entry: string): void {
  const [address = "", prefix] = entry.trim().split("/");
  const family = isIP(address);
  if (family === 0) return;
  const bits = family === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^[0-9]{1,3}$/.test(prefix) ? Number(prefix) : bits + 1;
  if (length <= bits) list.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
}

/**
 * The address a request comes from. `X-Forwarded-For` is believed only as far as trusted proxies wrote it:
 * from the right, the first address that is not one of theirs.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: AddressList): string {
  let address = unmapped(request.socket.remoteAddress ?? "");
  if (trustedProxies.isEmpty) return address;
  const header = request.headers["x-forwarded-for"];
  const hops = (typeof header === "string" ? header : (header?.join(",") ?? "")).split(",");
  for (let i = hops.length - 1; i >= 0 && trustedProxies.has(address); i -= 1) {
    const hop = unmapped((hops[i] ?? "").trim());
    if (isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Key of one caller where callers share: an IPv4 address, or the /64 network that one IPv6 caller has for itself. */
export function addressShare(address: string): string {
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

/** An IPv4 caller of a socket that listens on IPv6 shows as `::ffff:a.b.c.d`. */
export function unmapped(address: string): string {
  return address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
}
