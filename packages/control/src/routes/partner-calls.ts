/** A partner's settings over the control API. */
import { anyOf, array, choice, number, object, optional, orNull, type Static, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  changePartner,
  findNotificationAddress,
  listPartners,
  type PartnerDeps,
  type PartnerRow,
  type PartnerSummary,
  type PartnerTermsInput,
  type QueryDeps,
} from "@titian/server/admin";
import type { PartnersAnswer, PartnerView } from "../api-types.ts";
import { ControlError, controlErrorOf } from "../control-error.ts";
import { readBody } from "../read-input.ts";

const SettingsBody = object({
  rateLimit: optional(
    orNull(
      anyOf([number(), object({ perSecond: number(), burst: optional(number()) }, { additionalProperties: false })]),
      { description: "a number of calls a second, an object of perSecond and burst, or null for no limit" },
    ),
  ),
  notificationSigning: optional(choice(["symmetric", "asymmetric"], { description: '"symmetric" or "asymmetric"' })),
  notificationSignedPath: optional(choice(["whole", "service"], { description: '"whole" or "service"' })),
  services: optional(array(string(), { description: "a list of service codes as texts" })),
});

const AddressBody = object({
  url: orNull(string(), { description: "a URL, or null to remove the address" }),
});

interface PartnerPath {
  readonly Params: { readonly partnerId: string };
}

export interface PartnerCallsDeps extends PartnerDeps {
  readonly queries: QueryDeps;
  /** With the keys of the partners that calls can be signed for. */
  readonly signing: { readonly keys: Readonly<Record<string, unknown>> };
}

export function servePartnerCalls(app: FastifyInstance, deps: PartnerCallsDeps): void {
  app.get("/partners", async (): Promise<PartnersAnswer> => {
    const partners = await listPartners(deps.queries);
    return {
      partners: partners.map((partner) => showPartner(partner, Object.hasOwn(deps.signing.keys, partner.partnerId))),
    };
  });
  app.put<PartnerPath>("/partners/:partnerId/settings", async ({ params, body }) => {
    const { partnerId, settings } = await change(deps, params.partnerId, readSettings(readBody(SettingsBody, body)));
    const { rateLimit = null, notificationSigning, notificationSignedPath = "whole", services } = settings;
    return { partnerId, rateLimit, notificationSigning, notificationSignedPath, services };
  });
  app.get<PartnerPath>("/partners/:partnerId/notification-address", async ({ params: { partnerId } }) => {
    const url = await findNotificationAddress(deps, partnerId);
    if (url === undefined) throw new ControlError(404, "unknownPartner", "There is no such partner.", "partnerId");
    return { partnerId, url };
  });
  app.put<PartnerPath>("/partners/:partnerId/notification-address", async ({ params, body }) => {
    const { url } = readBody(AddressBody, body);
    const { partnerId, settings } = await change(deps, params.partnerId, { notificationAddress: url }, "url");
    return { partnerId, url: settings.notificationAddress ?? null };
  });
}

function showPartner({ rateLimit, notificationAddress, ...partner }: PartnerSummary, canSign: boolean): PartnerView {
  return { ...partner, rateLimit: rateLimit ?? null, notificationAddress: notificationAddress ?? null, canSign };
}

function readSettings(given: Static<typeof SettingsBody>): PartnerTermsInput {
  const { rateLimit, notificationSigning, notificationSignedPath, services } = given;
  return {
    ...(rateLimit !== undefined && { rateLimit: readRateLimit(rateLimit) }),
    ...(notificationSigning !== undefined && { notificationSigning }),
    ...(notificationSignedPath !== undefined && { notificationSignedPath }),
    ...(services !== undefined && { services }),
  };
}

/** A burst not given is one second's calls, and at least one. */
function readRateLimit(given: NonNullable<Static<typeof SettingsBody>["rateLimit"]> | null) {
  if (given === null) return null;
  const { perSecond, burst } = typeof given === "number" ? { perSecond: given } : given;
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
}

/** `field` is what this call names the input by, where it is not the partner's own word. */
async function change(
  deps: PartnerDeps,
  partnerId: string,
  terms: PartnerTermsInput,
  field?: string,
): Promise<PartnerRow> {
  const result = await changePartner(deps, partnerId, terms);
  if (result.ok) return result.value;
  const { rejection } = result;
  throw controlErrorOf(field !== undefined && rejection.kind === "invalidField" ? { ...rejection, field } : rejection);
}
