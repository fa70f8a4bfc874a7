/** Actions of `titian partner`. */
import {
  type AdminResult,
  changePartner,
  newSecret,
  onboardPartner,
  retireCredential,
  rotateCredentials,
  setPartnerStatus,
  type Core,
  type PartnerStatus,
  type PartnerTermsInput,
} from "@titian/server/admin";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import type { Answer } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import { readFingerprint } from "../options/client-certificate.ts";
import { readDuration } from "../options/duration.ts";
import { readText } from "../options/public-key.ts";
import { readRateLimit, writeRateLimit } from "../options/rate-limit.ts";
import type { ReasonFlags } from "../options/reason.ts";
import { formatJson, note, print } from "../output.ts";
import { formatFields } from "../tables/fields.ts";
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

export interface ChangeFlags extends SettingsFlags, ReasonFlags {
  readonly name?: string;
  readonly channelId?: string;
}

export interface AddFlags extends SettingsFlags, ReasonFlags {
  readonly name: string;
  readonly publicKey: string;
  readonly clientKey?: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
}

export async function add(partnerId: string, flags: AddFlags): Promise<void> {
  const { name, channelId, signing, clientKey = partnerId, reason } = flags;
  const secret = signing === "symmetric" ? newSecret(32) : undefined;
  const added = await withCore((core) =>
    onboardPartner(partnerDeps(core), {
      partnerId,
      clientKey,
      name,
      channelId,
      signing,
      secrets: secret === undefined ? [] : [secret],
      publicKeys: [readText(flags.publicKey, `--public-key ${flags.publicKey}`)],
      reason,
      ...readSettings(flags),
    }),
  );
  if (isProposed(added)) {
    print(
      `partner id     ${partnerId}\nclient key     ${clientKey}\nchannel id     ${channelId}\nsigning        ${signing}`,
    );
    if (secret !== undefined) showSecret(secret);
  }
  valueOf(added);
}

/** Waiting for its approval, it is proposed with what is shown now alone. */
function isProposed(result: AdminResult<unknown>): boolean {
  return result.ok || result.rejection.kind === "waitsForApproval";
}

function showSecret(secret: string): void {
  print(`client secret  ${secret}`);
  note("\nThe client secret is stored encrypted and not shown again.");
}

export async function change(partnerId: string, flags: ChangeFlags): Promise<void> {
  const { name, channelId, reason } = flags;
  const names = { ...(name !== undefined && { name }), ...(channelId !== undefined && { channelId }), reason };
  await withCore(async (core) =>
    valueOf(await changePartner(partnerDeps(core), partnerId, { ...names, ...readSettings(flags) })),
  );
}

interface OverlapFlags extends ReasonFlags {
  readonly overlap: string;
}

export interface SecretFlags extends OverlapFlags {
  /** Holds the secret; absent: a new one is generated and shown. */
  readonly file?: string;
}

export async function addSecret(partnerId: string, { file, ...flags }: SecretFlags): Promise<void> {
  const secret = file === undefined ? newSecret(32) : readText(file, `--file ${file}`).trim();
  const added = await withCore((core) => rotate(core, partnerId, { secret, ...flags }));
  if (file === undefined && isProposed(added)) showSecret(secret);
  valueOf(added);
  tellOverlap(flags);
}

export interface KeyFlags extends OverlapFlags {
  readonly publicKey: string;
}

export async function addKey(partnerId: string, { publicKey: path, ...flags }: KeyFlags): Promise<void> {
  const publicKey = readText(path, `--public-key ${path}`);
  valueOf(await withCore((core) => rotate(core, partnerId, { publicKey, ...flags })));
  tellOverlap(flags);
}

function rotate(
  core: Core,
  partnerId: string,
  { overlap, ...given }: OverlapFlags & { readonly secret?: string; readonly publicKey?: string },
) {
  const overlapMs = readDuration("--overlap", overlap) * 1_000;
  return rotateCredentials(partnerDeps(core), partnerId, { ...given, overlapMs });
}

function tellOverlap({ overlap }: OverlapFlags): void {
  const older = readDuration("--overlap", overlap) === 0 ? "no other" : `the one before it for ${overlap} more`;
  note(`Running nodes accept it within 2 s, and ${older}.`);
}

export async function retireKey(
  partnerId: string,
  kind: "secret" | "publicKey",
  { id, reason }: ReasonFlags & { readonly id: string },
): Promise<void> {
  await withCore(async (core) => valueOf(await retireCredential(partnerDeps(core), partnerId, { kind, id, reason })));
}

export async function setStatus(partnerId: string, status: PartnerStatus, flags: ReasonFlags): Promise<void> {
  const { note: waits } = await withCore(async (core) =>
    valueOf(await setPartnerStatus(partnerDeps(core), partnerId, status, flags)),
  );
  print(`${partnerId} is ${status}.`);
  if (waits !== undefined) note(waits);
}

/** Exit code of what was not confirmed. */
export async function retire(partnerId: string, { yes, ...flags }: RetireFlags): Promise<ExitCode> {
  if (yes !== true && !(await confirm(`Retire ${partnerId} for good?`))) {
    note("Nothing was changed.");
    return exitCodes.failed;
  }
  await setStatus(partnerId, "retired", flags);
  return exitCodes.done;
}

export interface RetireFlags extends ReasonFlags {
  readonly yes?: true;
}

export async function show(partnerId: string, { json }: { readonly json?: true }): Promise<void> {
  const partner = await withCalls((call) => call("GET /partners/{partnerId}", { params: { partnerId } }));
  if (json) return print(formatJson(partner));
  const { services, addresses, rateLimit, channelIdLengthMax, timestampWindowSeconds, openAct } = partner;
  print(
    formatFields([
      ["partner", partner.partnerId],
      ["name", partner.name],
      ["status", partner.status],
      ["client key", partner.clientKey],
      ["signing", partner.signing],
      ["channel", partner.channelId],
      ["services", services.join(", ")],
      ["addresses", addresses.length === 0 ? "any" : addresses.join(", ")],
      ["rate limit", writeRateLimit(rateLimit)],
      ["channel id length", channelIdLengthMax?.toString()],
      ["timestamp window", timestampWindowSeconds?.toString()],
      ["notifications to", partner.notificationAddress ?? undefined],
      ["their signing", partner.notificationSigning],
      ["signed path", partner.notificationSignedPath],
      ["waits for approval", openAct && `${openAct.does}: titian act show ${openAct.actId}`],
    ]),
  );
  print();
  showKeys(partner);
}

export async function listKeys(partnerId: string, { json }: { readonly json?: true }): Promise<void> {
  const partner = await withCalls((call) => call("GET /partners/{partnerId}", { params: { partnerId } }));
  const { credentials } = partner;
  if (json) return print(formatList({ credentials }, credentials));
  showKeys(partner);
}

const keyColumns = { id: "id", kind: "kind", createdAt: "added", expiresAt: "ends", state: "state", sha256: "SHA-256" };

function showKeys({ partnerId, credentials }: Answer<"GET /partners/{partnerId}">): void {
  print(
    formatTable(
      keyColumns,
      credentials.map((one) => ({ ...one, expiresAt: one.expiresAt ?? "", sha256: one.sha256 ?? "" })),
    ),
  );
  for (const { kind, id, expiresAt } of credentials.filter(({ state }) => state === "expiring"))
    note(`The ${kind === "secret" ? "client secret" : "public key"} ${id} of ${partnerId} ends on ${expiresAt}.`);
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
