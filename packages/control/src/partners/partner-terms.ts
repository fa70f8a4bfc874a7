/** Terms of a partner as calls give and answer them. */
import {
  anyOf,
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  optional,
  orNull,
  type Static,
  string,
} from "@titian/contract";
import { type PartnerTermsInput, rateLimitOf } from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";

export const rateLimit = object({ perSecond: number(), burst: number() });
export const signing = choice(["symmetric", "asymmetric"], { description: '"symmetric" or "asymmetric"' });
export const signedPath = choice(["whole", "service"], { description: '"whole" or "service"' });
export const notificationNetworks = array(string(), { description: "private networks such as private:10.20.0.0/16" });
export const clientCertificates = array(string(), {
  description: "SHA-256 of client certificates of which its calls need one",
});
export const tlsMin = choice(["1.2", "1.3"], { description: 'oldest TLS: "1.2" or "1.3"' });
export const services = array(string(), { description: "a list of service codes as texts" });
export const addresses = array(string(), {
  description: "IP addresses or CIDR ranges that it may call from; none: any",
});

const cells = array(integer(), {
  description: "numbers of all cells in which it may have accounts, 0 for home; a cell that it has stays",
});

/** All of it optional. */
const settings = {
  addresses: optional(addresses),
  acceptsMinifiedSignature: optional(boolean()),
  channelIdLengthMax: optional(integer({ description: "the most characters of its CHANNEL-ID, 1 to 36" })),
  timestampWindowSeconds: optional(integer({ description: "seconds that its X-TIMESTAMP may differ, 1 to 3600" })),
  rateLimit: optional(
    orNull(
      anyOf([number(), object({ perSecond: number(), burst: optional(number()) }, { additionalProperties: false })]),
      { description: "a number of calls a second, an object of perSecond and burst, or null for no limit" },
    ),
  ),
  notificationAddress: optional(
    orNull(string(), { description: "the base URL that its notifications are sent to, or null for none" }),
  ),
  notificationSigning: optional(signing),
  notificationSignedPath: optional(signedPath),
  services: optional(services),
  notificationNetworks: optional(notificationNetworks),
  notificationTlsMin: optional(tlsMin),
  clientCertificates: optional(clientCertificates),
  tlsMin: optional(tlsMin),
  cells: optional(cells),
};

const name = string({ description: "a text of 1 to 100 characters" });
const channelId = string({ description: "letters and digits: the CHANNEL-ID of its calls" });

export const changedTerms = object({
  name: optional(name),
  channelId: optional(channelId),
  signing: optional(signing),
  ...settings,
  ...actWords,
});

export const newTerms = object({
  name,
  clientKey: optional(string({ description: "its X-CLIENT-KEY, a text of 1 to 64 visible ASCII characters" })),
  channelId,
  signing,
  secrets: array(string(), {
    description: "client secrets of 16 to 200 visible ASCII characters, newest first: one or two to sign symmetrically",
  }),
  publicKeys: array(string(), { description: "one or two RSA public keys in PEM, newest first" }),
  ...settings,
  ...actWords,
});

type GivenRate = Static<typeof changedTerms>["rateLimit"];

/** As a member of terms, where it is given. */
export function readRate(given: GivenRate): Pick<PartnerTermsInput, "rateLimit"> {
  if (given === undefined) return {};
  const rate = typeof given === "number" ? { perSecond: given } : given;
  return { rateLimit: rate && rateLimitOf(rate) };
}
