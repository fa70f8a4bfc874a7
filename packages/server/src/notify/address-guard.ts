/**
 * Which addresses notifications may go to. In production they go to public addresses over TLS alone: an address that a
 * partner registers must not make the service call its own network.
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import { lookup as lookupAddress, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";

/** The address is one that no notification goes to. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

export interface AddressGuard {
  /** @throws ForbiddenAddress for a URL whose scheme or literal address is not permitted; a name is checked when it is resolved. */
  check(url: URL): void;
  /** Resolves a name to permitted addresses, or fails: a socket connects to what was checked. */
  readonly lookup: LookupFunction;
}

/** IANA's special-purpose registries: nothing there is a partner's public address. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** Of IPv6 only global unicast is permitted, without what is carved out of it or carries an IPv4 address. */
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const forbidden = createBlockList([...special4, ...special6]);
const globalUnicast = createBlockList(["2000::/3"]);

function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
}

/** Whether an address (IPv4 or IPv6 text) is a public one. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden.check(address, "ipv4");
    case 6:
      return globalUnicast.check(address, "ipv6") && !forbidden.check(address, "ipv6");
    default:
      return false;
  }
}

/** `isSandbox`: any address, with or without TLS. */
export function createAddressGuard(isSandbox: boolean): AddressGuard {
  const isAllowed = (address: string) => isSandbox || isPublicAddress(address);
  return {
    check: (url) => {
      if (url.protocol !== "https:" && !isSandbox)
        throw new ForbiddenAddress("notifications are sent over https alone");
      const host = url.hostname.replace(/^\[|\]$/g, "");
      if (isIP(host) !== 0 && !isAllowed(host)) throw new ForbiddenAddress(`${host} is no public address`);
    },
    lookup: (hostname, options, callback) => {
      lookupAddress(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, "", 0);
        const [allowed, all] = [found.filter(({ address }) => isAllowed(address)), options.all === true];
        const [first] = allowed;
        if (!first || allowed.length < found.length) {
          return callback(new ForbiddenAddress(`${hostname} resolves to an address that is not public`), "", 0);
        }
        if (all) (callback as (error: null, found: LookupAddress[]) => void)(null, allowed);
        else callback(null, first.address, first.family);
      });
    },
  };
}
