/** Onboards, changes and suspends partners (spec D3). Every function may be repeated safely. */
import { newId } from "../../basics/ids.ts";
import type { CheckAddress } from "../../interfaces/notifications.ts";
import type { Secrets } from "../../basics/secrets.ts";
import { findPartner, type PartnerRow, type PartnerSettings } from "../../store/reference/reference.ts";
import { isClientKeyTaken, isPublicKeyTaken, writePartner } from "../../store/reference/reference-changes.ts";
import { addPublicKey, addSecret, opensTo } from "./partner-credentials.ts";
import {
  applySettings,
  callableServices,
  normalizePublicKey,
  type PartnerTermsInput,
  rejectChannelIdLength,
  rejectClientKey,
  rejectPartnerId,
  rejectPublicKeys,
  rejectSecret,
  rejectTakenKey,
  rejectTerms,
} from "../partner-input.ts";
import { change, changeExisting, type ReferenceDeps } from "../reference/reference-change.ts";
import { type AdminResult, done, rejected } from "../result.ts";

export interface NewPartner extends PartnerTermsInput {
  /** Internal id (a UUID); absent: a new one. */
  readonly key?: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  /** `X-CLIENT-KEY` of service 73. */
  readonly clientKey: string;
  readonly name: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
  /** Client secrets, newest first; at most two. Needed for symmetric signing. */
  readonly secrets: readonly string[];
  /** RSA public keys in PEM, newest first; one or two. */
  readonly publicKeys: readonly string[];
}

export interface PartnerDeps extends ReferenceDeps {
  /** Asked before anything is written. */
  readonly checkAddress: CheckAddress;
}

const settingsWithoutLimit: PartnerSettings = {
  services: callableServices,
  addresses: [],
  acceptsMinifiedSignature: true,
  notificationSigning: "asymmetric",
};
/** Limit of new partners (spec D2 step 9): stored with each, because one without a limit in its settings has none. */
const defaultRateLimit = { perSecond: 50, burst: 100 };
const defaultSettings: PartnerSettings = { ...settingsWithoutLimit, rateLimit: defaultRateLimit };

export async function onboardPartner(deps: PartnerDeps, input: NewPartner): Promise<AdminResult<PartnerRow>> {
  const invalid = rejectNewPartner(input);
  if (invalid) return invalid;
  const publicKeys = input.publicKeys.map((pem) => normalizePublicKey(pem) ?? "");
  if (publicKeys.includes("")) return rejectPublicKeys(input.publicKeys);
  const tooLong = rejectChannelIdLength(input.channelId, applySettings(defaultSettings, input));
  if (tooLong) return tooLong;
  const forbidden = await rejectAddress(deps, input);
  if (forbidden) return forbidden;
  return change(deps, async (client, stamp) => {
    const existing = await findPartner(client, input.partnerId);
    // One that was onboarded before new ones had a limit: onboarding it again changes nothing.
    const isUnlimited = existing !== undefined && existing.settings.rateLimit === undefined;
    const wanted: PartnerRow = {
      key: existing?.key ?? input.key ?? newId(),
      partnerId: input.partnerId,
      clientKey: input.clientKey,
      name: input.name,
      status: "active",
      signing: input.signing,
      channelId: input.channelId,
      settings: applySettings(isUnlimited ? settingsWithoutLimit : defaultSettings, input),
      sealedSecrets: [],
      publicKeys,
    };
    if (existing) {
      if (isSame(deps.secrets, existing, wanted, input.secrets)) return done(existing);
      return rejected("partnerExists", "A partner with this id exists and differs: change it instead.", "partnerId");
    }
    if (await isClientKeyTaken(client, input.clientKey, input.partnerId)) {
      return rejected("partnerExists", "Another partner has this client key: choose another.", "clientKey");
    }
    if (await isPublicKeyTaken(client, publicKeys, input.partnerId)) return rejectTakenKey();
    await writePartner(client, wanted, stamp);
    // Oldest first: of two written at one moment, the later id is the newer.
    for (const pem of publicKeys.toReversed()) await addPublicKey(client, wanted.key, pem, stamp);
    for (const secret of input.secrets.toReversed()) await addSecret(deps.secrets, client, wanted.key, secret, stamp);
    return done(wanted);
  });
}

/** Changes the given terms of a partner. */
export async function changePartner(
  deps: PartnerDeps,
  partnerId: string,
  terms: PartnerTermsInput,
): Promise<AdminResult<PartnerRow>> {
  const invalid = rejectTerms(terms) ?? (await rejectAddress(deps, terms, partnerId));
  if (invalid) return invalid;
  return changeExisting(deps, partnerId, async (client, partner, stamp) => {
    const changed: PartnerRow = {
      ...partner,
      name: terms.name ?? partner.name,
      channelId: terms.channelId ?? partner.channelId,
      signing: terms.signing ?? partner.signing,
      settings: applySettings(partner.settings, terms),
    };
    const tooLong = rejectChannelIdLength(changed.channelId, changed.settings);
    if (tooLong) return tooLong;
    if (changed.signing === "symmetric" && partner.sealedSecrets.length === 0) {
      return rejected("invalidField", "Symmetric signing needs a client secret: add one first.", "signing");
    }
    await writePartner(client, changed, stamp);
    return done(changed);
  });
}

/** A suspended partner's calls are rejected, its tokens end, within 2 s on every node. */
export function setPartnerStatus(
  deps: ReferenceDeps,
  partnerId: string,
  status: PartnerRow["status"],
): Promise<AdminResult<PartnerRow>> {
  return changeExisting(deps, partnerId, async (client, partner, stamp) => {
    const changed = { ...partner, status };
    await writePartner(client, changed, stamp);
    return done(changed);
  });
}

/** A notification address that no connection would be opened to, as it and the partner's networks will be. */
async function rejectAddress(
  { checkAddress, database }: PartnerDeps,
  terms: PartnerTermsInput,
  partnerId?: string,
): Promise<AdminResult<never> | undefined> {
  if (terms.notificationAddress === undefined && terms.notificationNetworks === undefined) return undefined;
  const existing = partnerId === undefined ? undefined : await findPartner(database, partnerId);
  const { notificationAddress, notificationNetworks } = applySettings(existing?.settings ?? defaultSettings, terms);
  const reason = notificationAddress && (await checkAddress(notificationAddress, notificationNetworks));
  if (!reason) return undefined;
  const message = `No notification would be sent to this address: ${reason}. Outside the sandbox it is an https URL on public addresses or on its notification networks.`;
  return rejected("invalidField", message, "notificationAddress");
}

function rejectNewPartner(input: NewPartner): AdminResult<never> | undefined {
  const { partnerId, clientKey, secrets, publicKeys, signing } = input;
  const invalid = rejectPartnerId(partnerId) ?? rejectClientKey(clientKey) ?? rejectTerms(input);
  if (invalid) return invalid;
  if (secrets.length > 2 || (signing === "symmetric" && secrets.length === 0)) {
    return rejected(
      "invalidField",
      "A partner has at most two client secrets, and one to sign symmetrically.",
      "secrets",
    );
  }
  if (publicKeys.length < 1 || publicKeys.length > 2) {
    return rejected(
      "invalidField",
      "A partner has one or two public keys: a token is asked for with one.",
      "publicKeys",
    );
  }
  return secrets.map(rejectSecret).find((rejection) => rejection !== undefined);
}

function isSame(secrets: Secrets, existing: PartnerRow, wanted: PartnerRow, wantedSecrets: readonly string[]): boolean {
  const { sealedSecrets, key } = existing;
  const terms = ({ clientKey, name, signing, channelId, settings, publicKeys }: PartnerRow) =>
    JSON.stringify([clientKey, name, signing, channelId, settings, publicKeys]);
  return (
    terms(existing) === terms(wanted) &&
    sealedSecrets.length === wantedSecrets.length &&
    sealedSecrets.every((sealed, position) => opensTo(secrets, key, sealed, wantedSecrets[position]))
  );
}
