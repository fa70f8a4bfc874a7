/** Private networks that one partner's notifications may go to, over a line between its network and ours (ADR 0082). */
import { BlockList, isIP } from "node:net";

/** Networks of organisations, as RFC 1918, 6598 and 4193 give them. */
const ranges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"];
/** Clouds give credentials away at these to whoever asks from a machine: Alibaba, AWS, Oracle, Google. */
const metadata = ["100.100.100.200/32", "fd00:ec2::/32", "fd00:c1::/32", "fd20:ce::/32"];
/** The shortest prefixes: what one organisation has, and not the half of a country's or of our own. Longer than those of all `ranges`. */
const prefixMin = { 4: 16, 6: 48 } as const;

export const networkAdvice =
  "private: and a range within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 or fc00::/7, of /16 or smaller " +
  "(IPv6: /48), such as private:10.20.0.0/16; never loopback, link-local or what a cloud's metadata has";

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

const allowed = createLists(ranges);
const forbidden = createLists(metadata);

/** True for a network that an operator may permit: `private:10.20.0.0/16`, `private:10.20.0.7`, `private:fd12:3456:789a::/48`. */
export function isPrivateNetwork(text: string): boolean {
  return readNetwork(text) !== undefined;
}

/** The test of an address. An entry that is no such network permits nothing, wherever it comes from. */
export function createNetworkTest(networks: readonly string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const { address, prefix, family } of networks.map(readNetwork).filter((network) => network !== undefined)) {
    lists[family].addSubnet(address, prefix, family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && lists[family].check(address, family) && isPrivate(address, family);
  };
}

function readNetwork(text: string): Network | undefined {
  const [, address = "", bits] = /^private:([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = familyOf(address);
  if (family === undefined || !isPrivate(address, family)) return undefined;
  const [min, max] = family === "ipv4" ? [prefixMin[4], 32] : [prefixMin[6], 128];
  const prefix = bits === undefined ? max : Number(bits);
  return prefix >= min && prefix <= max ? { address, prefix, family } : undefined;
}

function isPrivate(address: string, family: Network["family"]): boolean {
  return allowed[family].check(address, family) && !forbidden[family].check(address, family);
}

/** A list for each family: one of IPv4 would match the IPv6 forms that have an IPv4 address in them. */
function createLists(entries: readonly string[]): Record<Network["family"], BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = address.includes(":") ? "ipv6" : "ipv4";
    lists[family].addSubnet(address, Number(prefix), family);
  }
  return lists;
}

/** Undefined: no address, or one with a zone. */
function familyOf(address: string): Network["family"] | undefined {
  const family = address.includes("%") ? 0 : isIP(address);
  return family === 4 ? "ipv4" : family === 6 ? "ipv6" : undefined;
}
