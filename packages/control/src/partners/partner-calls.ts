/** Partners: listed; their settings and notification address. */
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
import {
  type ActWords,
  changePartner,
  findNotificationAddress,
  findOpenAct,
  listPartners,
  type PartnerDeps,
  type PartnerTermsInput,
  type QueryDeps,
  rateLimitOf,
  showPartner,
  time,
} from "@titian/server/admin";
import { actReason } from "../acts/act-reason.ts";
import { openAct } from "../acts/act-view.ts";
import { controlErrorOf, unknownPartner, valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

const rateLimit = object({ perSecond: number(), burst: number() });
const signing = choice(["symmetric", "asymmetric"], { description: '"symmetric" or "asymmetric"' });
const signedPath = choice(["whole", "service"], { description: '"whole" or "service"' });
const notificationNetworks = array(string(), { description: "private networks such as private:10.20.0.0/16" });
const clientCertificates = array(string(), {
  description: "SHA-256 of client certificates of which its calls need one",
});
const tlsMin = choice(["1.2", "1.3"], { description: 'oldest TLS: "1.2" or "1.3"' });
const services = array(string(), { description: "a list of service codes as texts" });

const partnerMembers = {
  partnerId: string(),
  name: string(),
  status: choice(["active", "suspended", "retired"]),
  clientKey: string(),
  channelId: string(),
  signing,
  services,
  rateLimit: orNull(rateLimit),
  notificationAddress: orNull(string({ personal: "url" })),
  notificationSigning: signing,
  notificationSignedPath: signedPath,
  notificationNetworks,
  notificationTlsMin: tlsMin,
  clientCertificates,
  tlsMin,
};
const partnerView = object({
  ...partnerMembers,
  canSign: boolean({ description: "whether calls can be signed for it here" }),
});
export type PartnerView = Static<typeof partnerView>;

const credential = object({
  id: string(),
  kind: choice(["secret", "publicKey"]),
  createdAt: time(),
  expiresAt: orNull(time({ description: "null: it has no end" })),
  state: choice(["valid", "expiring", "expired"], { description: "expiring: within 14 days" }),
  sha256: optional(string({ description: "of a public key: SHA-256 of its SPKI in DER" })),
});

const partnerDetailsView = object({
  ...partnerMembers,
  addresses: array(string(), { description: "it may call from; none: any" }),
  channelIdLengthMax: optional(integer()),
  timestampWindowSeconds: optional(integer()),
  acceptsMinifiedSignature: boolean(),
  credentials: array(credential, { description: "newest first" }),
  openAct,
});

const settings = object({
  rateLimit: optional(
    orNull(
      anyOf([number(), object({ perSecond: number(), burst: optional(number()) }, { additionalProperties: false })]),
      { description: "a number of calls a second, an object of perSecond and burst, or null for no limit" },
    ),
  ),
  notificationSigning: optional(signing),
  notificationSignedPath: optional(signedPath),
  services: optional(services),
  notificationNetworks: optional(notificationNetworks),
  notificationTlsMin: optional(tlsMin),
  clientCertificates: optional(clientCertificates),
  tlsMin: optional(tlsMin),
  reason: optional(actReason),
});

const address = object({ partnerId: string(), url: orNull(string({ personal: "url" })) });

export interface PartnerCallsDeps extends PartnerDeps {
  readonly queries: QueryDeps;
  /** With the keys of the partners that calls can be signed for. */
  readonly signing: { readonly keys: Readonly<Record<string, unknown>> };
}

export const partnerCalls = [
  defineCall({
    name: "partner list",
    route: "GET /partners",
    role: "viewer",
    does: "Partners by id, with their settings and without secrets.",
    answer: object({ partners: array(partnerView) }),
    run: async (_input, { queries, signing: { keys } }: PartnerCallsDeps) => {
      const partners = await listPartners(queries);
      return {
        partners: partners.map((partner) => ({ ...partner, canSign: Object.hasOwn(keys, partner.partnerId) })),
      };
    },
  }),
  defineCall({
    name: "partner show",
    route: "GET /partners/{partnerId}",
    role: "viewer",
    does: "A partner with its settings and its credentials, by their ids, age and end.",
    answer: partnerDetailsView,
    run: async ({ params: { partnerId } }, { queries }: PartnerCallsDeps) => {
      const partner = await showPartner(queries, partnerId);
      if (!partner) throw unknownPartner(partnerId);
      return { ...partner, openAct: await findOpenAct(queries, partnerId) };
    },
  }),
  defineCall({
    name: "partner set",
    route: "PUT /partners/{partnerId}/settings",
    role: "operator",
    does: "Sets what is given: calls a second, the services it may call, how its notifications are signed, its connections.",
    body: settings,
    answer: object({
      partnerId: string(),
      rateLimit: orNull(rateLimit),
      notificationSigning: signing,
      notificationSignedPath: signedPath,
      services,
      notificationNetworks,
      notificationTlsMin: tlsMin,
      clientCertificates,
      tlsMin,
    }),
    run: async ({ params, body }, deps: PartnerCallsDeps) => {
      const changed = await changePartner(deps, params.partnerId, readSettings(body));
      const { partnerId, settings: set } = valueOf(changed);
      const notificationSignedPath = set.notificationSignedPath ?? ("whole" as const);
      const { rateLimit: limit, notificationNetworks: networks = [], notificationTlsMin = "1.3" as const } = set;
      const { clientCertificates: certificates = [], tlsMin: oldest = "1.3" as const } = set;
      const connections = { notificationNetworks: networks, notificationTlsMin, clientCertificates: certificates };
      return { ...set, partnerId, rateLimit: limit, notificationSignedPath, ...connections, tlsMin: oldest };
    },
  }),
  defineCall({
    name: "partner address",
    route: "GET /partners/{partnerId}/notification-address",
    role: "viewer",
    does: "Where its notifications are sent; null without an address.",
    answer: address,
    run: async ({ params: { partnerId } }, deps: PartnerCallsDeps) => {
      const url = await findNotificationAddress(deps, partnerId);
      if (url === undefined) throw unknownPartner(partnerId);
      return { partnerId, url };
    },
  }),
  defineCall({
    name: "partner set-address",
    route: "PUT /partners/{partnerId}/notification-address",
    role: "operator",
    does: "Where its notifications (21, 75, 76) are sent from then on: any http or https address, or null.",
    body: object({
      url: orNull(string(), { description: "a URL, or null to remove the address" }),
      reason: optional(actReason),
    }),
    answer: address,
    run: async ({ params, body: { url, reason } }, deps: PartnerCallsDeps) => {
      const result = await changePartner(deps, params.partnerId, { notificationAddress: url, reason });
      if (!result.ok) {
        const { rejection } = result;
        // This call has another name for it.
        throw controlErrorOf(rejection.kind === "invalidField" ? { ...rejection, field: "url" } : rejection);
      }
      const { partnerId, settings: set } = result.value;
      return { partnerId, url: set.notificationAddress };
    },
  }),
] as const;

function readSettings(given: Static<typeof settings>): PartnerTermsInput & ActWords {
  const { rateLimit: calls, ...others } = given;
  if (calls === undefined) return others;
  const rate = typeof calls === "number" ? { perSecond: calls } : calls;
  return { ...others, rateLimit: rate && rateLimitOf(rate) };
}
