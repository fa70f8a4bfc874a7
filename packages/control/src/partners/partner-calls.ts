/** Partners: listed; their settings and notification address. */
import { array, boolean, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import {
  changePartner,
  findNotificationAddress,
  findOpenAct,
  listPartners,
  type PartnerDeps,
  type QueryDeps,
  showPartner,
  time,
} from "@titian/server/admin";
import { actReason } from "../acts/act-reason.ts";
import { openAct } from "../acts/act-view.ts";
import { controlErrorOf, unknownPartner, valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import {
  addresses,
  changedTerms,
  clientCertificates,
  notificationNetworks,
  rateLimit,
  readRate,
  services,
  signedPath,
  signing,
  tlsMin,
} from "./partner-terms.ts";

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

const credentials = array(credential, { description: "newest first" });
/** A partner's credentials, without their values. */
export const credentialsView = object({ partnerId: string(), credentials });

const partnerDetailsView = object({
  ...partnerMembers,
  addresses,
  channelIdLengthMax: optional(integer()),
  timestampWindowSeconds: optional(integer()),
  acceptsMinifiedSignature: boolean(),
  cells: optional(
    array(
      object({
        cell: integer(),
        takesCallsFrom: optional(time({ description: "of a cell that it got later: real time" })),
      }),
      { description: "in which it may have accounts, the first it had first; left out: home alone" },
    ),
  ),
  credentials,
  openAct,
});
export type PartnerDetailsView = Static<typeof partnerDetailsView>;

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
    does: "Sets what is given of its terms: names, signing, calls a second, the services it may call, its notifications and connections.",
    body: changedTerms,
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
    run: async ({ params, body: { rateLimit: calls, ...terms } }, deps: PartnerCallsDeps) => {
      const changed = await changePartner(deps, params.partnerId, { ...terms, ...readRate(calls) });
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
