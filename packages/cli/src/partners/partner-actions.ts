/** Actions of `titian partner`. */
import {
  changePartner,
  newSecret,
  onboardPartner,
  rotateCredentials,
  setPartnerStatus,
  type Core,
  type PartnerTermsInput,
} from "@titian/server/admin";
import { withCalls } from "../control/with-calls.ts";
import { readFingerprint } from "../options/client-certificate.ts";
import { readText } from "../options/public-key.ts";
import { readRateLimit, writeRateLimit } from "../options/rate-limit.ts";
import { note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import { valueOf, withCore } from "../with-core.ts";

interface SettingsFlags {
  readonly services?: string;
  readonly addresses?: string;
  readonly channelIdLength?: string;
  readonly timestampWindow?: string;
  readonly rateLimit?: string;
  readonly notificationAddress?: string;
  readonly notificationSigning?: "asymmetric" | "symmetric";
  readonly notificationSignedPath?: "whole" | "service";
  readonly notificationNetwork?: readonly string[];
  readonly notificationTlsMin?: "1.2" | "1.3";
  readonly clientCertificate?: readonly string[];
  readonly tlsMin?: "1.2" | "1.3";
}

export interface ChangeFlags extends SettingsFlags {
  readonly name?: string;
  readonly channelId?: string;
}

export interface AddFlags extends SettingsFlags {
  readonly name: string;
  readonly publicKey: string;
  readonly clientKey?: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
}

export async function add(partnerId: string, flags: AddFlags): Promise<void> {
  const { name, channelId, signing, clientKey = partnerId } = flags;
  const secret = signing === "symmetric" ? newSecret(32) : undefined;
  await withCore(async (core) =>
    valueOf(
      await onboardPartner(partnerDeps(core), {
        partnerId,
        clientKey,
        name,
        channelId,
        signing,
        secrets: secret === undefined ? [] : [secret],
        publicKeys: [readText(flags.publicKey, `--public-key ${flags.publicKey}`)],
        ...readSettings(flags),
      }),
    ),
  );
  print(
    `partner id     ${partnerId}\nclient key     ${clientKey}\nchannel id     ${channelId}\nsigning        ${signing}`,
  );
  if (secret === undefined) return;
  print(`client secret  ${secret}`);
  note("\nThe client secret is stored encrypted and not shown again.");
}

export async function change(partnerId: string, flags: ChangeFlags): Promise<void> {
  const { name, channelId } = flags;
  const names = { ...(name !== undefined && { name }), ...(channelId !== undefined && { channelId }) };
  await withCore(async (core) =>
    valueOf(await changePartner(partnerDeps(core), partnerId, { ...names, ...readSettings(flags) })),
  );
}

export interface SecretFlags {
  /** Holds the secret; absent: a new one is generated and shown. */
  readonly file?: string;
  readonly retire?: true;
}

export async function addSecret(partnerId: string, { file, retire }: SecretFlags): Promise<void> {
  const secret = file === undefined ? newSecret(32) : readText(file, `--file ${file}`).trim();
  await withCore(async (core) =>
    valueOf(await rotateCredentials(partnerDeps(core), partnerId, { secret, retire: retire === true })),
  );
  if (file === undefined) {
    print(`client secret  ${secret}`);
    note("\nThe client secret is stored encrypted and not shown again.");
  }
  note(`Running nodes accept it within 2 s${retire ? ", and no other" : ", and the newest one before it"}.`);
}

export async function setStatus(partnerId: string, status: "active" | "suspended"): Promise<void> {
  await withCore(async (core) => valueOf(await setPartnerStatus(partnerDeps(core), partnerId, status)));
}

const columns = {
  partnerId: "partner",
  name: "name",
  status: "status",
  clientKey: "client key",
  channelId: "channel",
  signing: "signing",
  services: "services",
  rateLimit: "rate limit",
};

export async function list({ json }: { readonly json?: true }): Promise<void> {
  const answer = await withCalls((call) => call("GET /partners"));
  const rows = answer.partners.map((partner) => ({ ...partner, rateLimit: writeRateLimit(partner.rateLimit) }));
  print(json ? formatList(answer, answer.partners) : formatTable(columns, rows));
}

function readSettings(flags: SettingsFlags): PartnerTermsInput {
  const { clientCertificate, tlsMin } = flags;
  const { services, addresses, channelIdLength, timestampWindow, rateLimit } = flags;
  const { notificationAddress, notificationSigning, notificationSignedPath, notificationNetwork, notificationTlsMin } =
    flags;
  return {
    ...(services !== undefined && { services: splitList(services) }),
    ...(addresses !== undefined && { addresses: splitList(addresses) }),
    ...(channelIdLength !== undefined && { channelIdLengthMax: Number(channelIdLength) }),
    ...(timestampWindow !== undefined && { timestampWindowSeconds: Number(timestampWindow) }),
    ...(rateLimit !== undefined && { rateLimit: readRateLimit(rateLimit) }),
    ...(notificationAddress !== undefined && {
      notificationAddress: notificationAddress === "none" ? null : notificationAddress,
    }),
    ...(notificationSigning !== undefined && { notificationSigning }),
    ...(notificationSignedPath !== undefined && { notificationSignedPath }),
    ...(notificationNetwork !== undefined && { notificationNetworks: withoutNone(notificationNetwork) }),
    ...(notificationTlsMin !== undefined && { notificationTlsMin }),
    ...(clientCertificate !== undefined && {
      clientCertificates: withoutNone(clientCertificate).map(readFingerprint),
    }),
    ...(tlsMin !== undefined && { tlsMin }),
  };
}

function partnerDeps({ adminPool, secrets, clock, checkAddress }: Core) {
  return { database: adminPool, secrets, clock, checkAddress };
}

/** `none` by itself empties a list. */
function withoutNone(values: readonly string[]): readonly string[] {
  return values.length === 1 && values[0] === "none" ? [] : values;
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
