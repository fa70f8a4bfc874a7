/**
 * Addresses to which notifications may go. In production they go to public addresses, and to private networks that are
 * permitted for the partner, over TLS alone: an address that a partner registers must not make the service call its own network.
 */
import { BlockList, isIP, isIPv6 } from "node:net";
import type { LookupAddress } from "node:dns";
import { lookup, Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { createNetworkTest } from "../basics/private-networks.ts";

/** The address is one that no notification goes to. */
export class ForbiddenAddress extends Error {
  override readonly name = "ForbiddenAddress";
}

export interface AddressGuard {
  /** @throws ForbiddenAddress for a URL whose scheme or literal address is not permitted; a name is checked when it is resolved. */
  check(url: URL): void;
  /** All addresses of the URL's host. @throws ForbiddenAddress when one is not permitted; the error of DNS without any. */
  resolve(url: URL): Promise<readonly LookupAddress[]>;
  /** Resolves a name to permitted addresses, or fails: a socket connects to what was checked. */
  readonly lookup: LookupFunction;
  /** The guard that lets addresses in these private networks through, too. */
  permitting(networks: readonly string[]): AddressGuard;
}

/** Rules of a guard: the addresses that it lets through. */
export interface AddressRules {
  readonly needsTls: boolean;
  /** Test of an IPv4 or IPv6 address. */
  readonly isPermitted: (address: string) => boolean;
  /** All addresses of a name. */
  readonly resolve: (hostname: string) => Promise<readonly LookupAddress[]>;
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
/** Exceptions from global unicast, all that is permitted of IPv6: parts carved out of it, or with an IPv4 address. */
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

/** True for a public address (IPv4 or IPv6 text). */
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

export const productionRules: AddressRules = { needsTls: true, isPermitted: isPublicAddress, resolve: resolveName };

/** Any address, with or without TLS; names also of the machine's own list. */
export const sandboxRules: AddressRules = {
  needsTls: false,
  isPermitted: () => true,
  resolve: (hostname) => lookup(hostname, { all: true }),
};

export function createAddressGuard(rules: AddressRules): AddressGuard {
  const { needsTls, isPermitted, resolve } = rules;
  const resolveChecked = async (hostname: string) => {
    const found = await resolve(hostname);
    if (found.length === 0) throw new Error(`${hostname} has no address`);
    const other = found.find(({ address }) => !isPermitted(address));
    if (other) throw new ForbiddenAddress(`${hostname} resolves to ${other.address}, which is not a public address`);
    return found;
  };
  const check = (url: URL) => {
    if (url.protocol !== "https:" && needsTls) throw new ForbiddenAddress("notifications are sent over https alone");
    const host = hostOf(url);
    if (isIP(host) !== 0 && !isPermitted(host)) throw new ForbiddenAddress(`${host} is not a public address`);
  };
  return {
    check,
    resolve: async (url) => {
      check(url);
      const host = hostOf(url);
      const family = isIP(host);
      return family === 0 ? resolveChecked(host) : [{ address: host, family }];
    },
    lookup: (hostname, { all = false }, callback) => void answer(() => resolveChecked(hostname), all, callback),
    permitting: (networks) => {
      const isInNetworks = createNetworkTest(networks);
      return createAddressGuard({ ...rules, isPermitted: (address) => isPermitted(address) || isInNetworks(address) });
    },
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

type LookupCallback = Parameters<LookupFunction>[2];

async function answer(
  look: () => Promise<readonly LookupAddress[]>,
  all: boolean,
  callback: LookupCallback,
): Promise<void> {
  const [found, error] = await look().then(
    (addresses) => [addresses, null] as const,
    (failure: Error) => [[], failure] as const,
  );
  const [first] = found;
  if (all || !first) callback(error, [...found]);
  else callback(null, first.address, first.family);
}

/**
 * By DNS alone, and not by the system's look-up: that one waits on threads that all partners share, and a name whose
 * servers do not answer would hold them.
 */
async function resolveName(hostname: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}
