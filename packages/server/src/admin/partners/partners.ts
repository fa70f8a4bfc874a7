/** Onboards, changes, suspends and retires partners (spec D3). Every function may be repeated safely. */
import { isDeepStrictEqual } from "node:util";
import { newId } from "../../basics/ids.ts";
import { unknownSecret } from "../../basics/secrets.ts";
import type { CheckAddress } from "../../interfaces/notifications.ts";
import {
  findPartner,
  type PartnerRow,
  type PartnerSettings,
  type PartnerStatus,
} from "../../store/reference/reference.ts";
import { isClientKeyTaken, isPublicKeyTaken } from "../../store/reference/reference-changes.ts";
import { applyCells, rejectTaken, rejectUnlisted, withCells } from "../partner-cells.ts";
import { needSealingKey, newKeyOf, newSecretOf } from "./partner-credentials.ts";
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
import {
  type ActWords,
  type AtOnceNote,
  findAtOnceNote,
  proposeChange,
  repeatWhenChanged,
} from "../reference/reference-act.ts";
import { openSecrets } from "../reference/reference-copy.ts";
import type { ReferenceDeps } from "../reference/reference-change.ts";
import { AdminError, type AdminResult, done, rejected, rejectRetired, rejectUnknownPartner } from "../result.ts";

export interface NewPartner extends PartnerTermsInput, ActWords {
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

/** Two nodes that fill one sandbox onboard a partner at once. */
export function onboardPartner(deps: PartnerDeps, input: NewPartner): Promise<AdminResult<PartnerRow>> {
  return repeatWhenChanged(() => onboardOnce(deps, input));
}

async function onboardOnce(deps: PartnerDeps, input: NewPartner): Promise<AdminResult<PartnerRow>> {
  const invalid = rejectNewPartner(input);
  if (invalid) return invalid;
  const publicKeys = input.publicKeys.map((pem) => normalizePublicKey(pem) ?? "");
  if (publicKeys.includes("")) return rejectPublicKeys(input.publicKeys);
  const forbidden =
    rejectChannelIdLength(input.channelId, applySettings(defaultSettings, input)) ??
    (await rejectUnlisted(deps.database, input)) ??
    (await rejectAddress(deps, input));
  if (forbidden) return forbidden;
  const { database, credentials: reads = database, secrets } = deps;
  const existing = await findPartner(reads, input.partnerId);
  if (existing) {
    const known = [...(await openSecrets(secrets, existing)).values()];
    if (!isSame(existing, input, publicKeys)) return rejectOther("differs");
    if (isDeepStrictEqual(known, input.secrets)) return done(existing);
    const isUnclear = known.length === input.secrets.length && known.includes(unknownSecret);
    return rejectOther(isUnclear ? "may have another client secret" : "differs");
  }
  if (await isClientKeyTaken(reads, input.clientKey, input.partnerId)) {
    return rejected("partnerExists", "Another partner has this client key: choose another.", "clientKey");
  }
  if (await isPublicKeyTaken(reads, publicKeys, input.partnerId)) return rejectTakenKey();
  const { key = newId(), partnerId, clientKey } = input;
  const settings = withCells(applySettings(defaultSettings, input), input);
  const after = {
    id: key,
    clientKey,
    ...termsOf({ ...input, settings }),
    credentials: await newCredentialsOf(deps, input, key, publicKeys),
  };
  const { reason, ticket } = input;
  const act = { kind: "partner", target: partnerId, before: undefined, after, reason, ticket } as const;
  return proposeChange(deps, act, () => readWritten(deps, partnerId));
}

/** Done would say that the secrets given are good: where no master key tells, it is not said. */
function rejectOther(how: "differs" | "may have another client secret"): AdminResult<never> {
  const advice =
    how === "differs"
      ? "change it instead."
      : "without the master key secrets cannot be compared. Add another one instead (titian partner secret add).";
  return rejected("partnerExists", `A partner with this id exists and ${how}: ${advice}`, "partnerId");
}

/** Oldest first: of two written at one moment, the later id is the newer. */
async function newCredentialsOf(
  deps: PartnerDeps,
  { secrets }: NewPartner,
  partner: string,
  publicKeys: readonly string[],
) {
  const keys = publicKeys.toReversed().map(newKeyOf);
  if (secrets.length === 0) return keys;
  const sealingKey = await needSealingKey(deps);
  return [...keys, ...(await Promise.all(secrets.toReversed().map((one) => newSecretOf(sealingKey, partner, one))))];
}

/** Changes the given terms of a partner. */
export async function changePartner(
  deps: PartnerDeps,
  partnerId: string,
  terms: PartnerTermsInput & ActWords,
): Promise<AdminResult<PartnerRow>> {
  const invalid =
    rejectTerms(terms) ?? (await rejectUnlisted(deps.database, terms)) ?? (await rejectAddress(deps, terms, partnerId));
  return invalid ?? repeatWhenChanged(() => changeFound(deps, partnerId, terms));
}

async function changeFound(
  deps: PartnerDeps,
  partnerId: string,
  terms: PartnerTermsInput & ActWords,
): Promise<AdminResult<PartnerRow>> {
  const partner = await findPartner(deps.credentials ?? deps.database, partnerId);
  if (!partner) return rejectUnknownPartner();
  if (partner.status === "retired") return rejectRetired();
  const changed = {
    name: terms.name ?? partner.name,
    channelId: terms.channelId ?? partner.channelId,
    signing: terms.signing ?? partner.signing,
    settings: applyCells(applySettings(partner.settings, terms), terms),
  };
  const wrong = rejectChannelIdLength(changed.channelId, changed.settings) ?? rejectTaken(partner.settings, terms);
  if (wrong) return wrong;
  const hasSecret = partner.credentials.some(({ kind, expiresAt }) => kind === "secret" && expiresAt === null);
  if (changed.signing === "symmetric" && !hasSecret) {
    return rejected("invalidField", "Symmetric signing needs a client secret: add one first.", "signing");
  }
  const [before, after] = [termsOf(partner), termsOf(changed)];
  if (isDeepStrictEqual(before, after)) return done(partner);
  const { reason, ticket } = terms;
  const act = { kind: "partner", target: partnerId, before, after, reason, ticket } as const;
  return proposeChange(deps, act, () => readWritten(deps, partnerId));
}

const statusActs = {
  active: { kind: "partnerResumption", isAtOnce: false },
  suspended: { kind: "partnerSuspension", isAtOnce: true },
  retired: { kind: "partnerRetirement", isAtOnce: false },
} as const;

/** `note`: about a suspension. */
export interface PartnerWithNote extends AtOnceNote {
  readonly partner: PartnerRow;
}

/**
 * A suspended partner's calls are rejected, its tokens end, within 2 s on every node; that is done at once, and approved later. A
 * retired partner is one for good, and its credentials are gone.
 */
export async function setPartnerStatus(
  deps: ReferenceDeps,
  partnerId: string,
  status: PartnerStatus,
  words: ActWords = {},
): Promise<AdminResult<PartnerWithNote>> {
  const partner = await findPartner(deps.credentials ?? deps.database, partnerId);
  if (!partner) return rejectUnknownPartner();
  const of = { ...statusActs[status], target: partnerId };
  if (partner.status === status) return done({ partner, ...(await findAtOnceNote(deps.database, of)) });
  if (partner.status === "retired") return rejectRetired();
  const states = { before: { status: partner.status }, after: { status } };
  const act = { ...of, ...states, ...words };
  return proposeChange(deps, act, async (note, actId) => ({
    partner: await readWritten(deps, partnerId),
    note,
    actId,
  }));
}

async function readWritten(
  { database, credentials = database }: ReferenceDeps,
  partnerId: string,
): Promise<PartnerRow> {
  const partner = await findPartner(credentials, partnerId);
  if (!partner) throw new AdminError(`Partner ${partnerId} was just written and is not found.`);
  return partner;
}

type PartnerTerms = Pick<PartnerRow, "name" | "signing" | "channelId" | "settings">;

/** Terms of a partner as an act has them (`partner_terms` of 0040-reference-acts.sql). */
function termsOf({ name, signing, channelId, settings }: PartnerTerms): PartnerTerms {
  return { name, signing, channelId, settings };
}

/** A notification address that no connection would be opened to, as it and the partner's networks will be. */
async function rejectAddress(
  { checkAddress, database, credentials = database }: PartnerDeps,
  terms: PartnerTermsInput,
  partnerId?: string,
): Promise<AdminResult<never> | undefined> {
  if (terms.notificationAddress === undefined && terms.notificationNetworks === undefined) return undefined;
  const existing = partnerId === undefined ? undefined : await findPartner(credentials, partnerId);
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

/** True, but for the secrets: onboarding it again changes nothing. */
function isSame(existing: PartnerRow, input: NewPartner, publicKeys: readonly string[]): boolean {
  // One that was onboarded before new ones had a limit.
  const isUnlimited = existing.settings.rateLimit === undefined;
  const settings = withCells(applySettings(isUnlimited ? settingsWithoutLimit : defaultSettings, input), input);
  const keys = existing.credentials.filter(({ kind }) => kind === "publicKey").map(({ value }) => value);
  return (
    isDeepStrictEqual(termsOf(existing), termsOf({ ...input, settings })) &&
    existing.clientKey === input.clientKey &&
    isDeepStrictEqual(keys, publicKeys)
  );
}
