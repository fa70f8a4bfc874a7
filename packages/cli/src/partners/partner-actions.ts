/** Actions of `titian partner`. */
import { newSecret, type PartnerTermsInput } from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { confirm } from "../confirm.ts";
import type { Answer, CallRow } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import { readFingerprint } from "../options/client-certificate.ts";
import { readDuration } from "../options/duration.ts";
import { readText } from "../options/public-key.ts";
import { readRateLimit, writeRateLimit } from "../options/rate-limit.ts";
import type { ActFlags } from "../options/act-options.ts";
import { formatJson, note, print } from "../output.ts";
import { formatFields } from "../tables/fields.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";

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
  readonly cells?: string;
}

export interface ChangeFlags extends SettingsFlags, ActFlags {
  readonly name?: string;
  readonly channelId?: string;
}

export interface AddFlags extends SettingsFlags, ActFlags {
  readonly name: string;
  readonly publicKey: string;
  readonly clientKey?: string;
  readonly channelId: string;
  readonly signing: "symmetric" | "asymmetric";
}

export async function add(partnerId: string, flags: AddFlags): Promise<void> {
  const { name, channelId, signing, clientKey = partnerId } = flags;
  const secret = signing === "symmetric" ? newSecret(32) : undefined;
  const publicKeys = [readText(flags.publicKey, `--public-key ${flags.publicKey}`)];
  const secrets = secret === undefined ? [] : [secret];
  const terms = { clientKey, name, channelId, signing, secrets, publicKeys, ...readSettings(flags), ...wordsOf(flags) };
  await propose(
    (call) => call("PUT /partners/{partnerId}", { params: { partnerId }, body: terms }),
    () => {
      print(
        `partner id     ${partnerId}\nclient key     ${clientKey}\nchannel id     ${channelId}\nsigning        ${signing}`,
      );
      if (secret !== undefined) showSecret(secret);
    },
  );
}

/** `tell` is told once the act stands: what waits for its approval is proposed with what is shown now alone. */
async function propose<Value>(work: (call: CallRow) => Promise<Value>, tell: () => void): Promise<Value> {
  try {
    const value = await withCalls(work);
    tell();
    return value;
  } catch (error) {
    if (error instanceof CliError && error.exitCode === exitCodes.waits) tell();
    throw error;
  }
}

const wordsOf = ({ reason, ticket }: ActFlags) => ({ reason, ticket });

function showSecret(secret: string): void {
  print(`client secret  ${secret}`);
  note("\nThe client secret is stored encrypted and not shown again.");
}

export async function change(partnerId: string, flags: ChangeFlags): Promise<void> {
  const { name, channelId } = flags;
  const body = { name, channelId, ...readSettings(flags), ...wordsOf(flags) };
  await withCalls((call) => call("PUT /partners/{partnerId}/settings", { params: { partnerId }, body }));
}

interface OverlapFlags extends ActFlags {
  readonly overlap: string;
}

export interface SecretFlags extends OverlapFlags {
  /** Holds the secret; absent: a new one is generated and shown. */
  readonly file?: string;
}

export async function addSecret(partnerId: string, { file, ...flags }: SecretFlags): Promise<void> {
  const secret = file === undefined ? newSecret(32) : readText(file, `--file ${file}`).trim();
  const body = { secret, overlapSeconds: readDuration("--overlap", flags.overlap), ...wordsOf(flags) };
  await propose(
    (call) => call("POST /partners/{partnerId}/secrets", { params: { partnerId }, body }),
    () => {
      if (file === undefined) showSecret(secret);
    },
  );
  tellOverlap(flags);
}

export interface KeyFlags extends OverlapFlags {
  readonly publicKey: string;
}

export async function addKey(partnerId: string, { publicKey: path, ...flags }: KeyFlags): Promise<void> {
  const publicKey = readText(path, `--public-key ${path}`);
  const body = { publicKey, overlapSeconds: readDuration("--overlap", flags.overlap), ...wordsOf(flags) };
  await withCalls((call) => call("POST /partners/{partnerId}/keys", { params: { partnerId }, body }));
  tellOverlap(flags);
}

function tellOverlap({ overlap }: OverlapFlags): void {
  const older = readDuration("--overlap", overlap) === 0 ? "no other" : `the one before it for ${overlap} more`;
  note(`Running nodes accept it within 2 s, and ${older}.`);
}

export async function retireKey(
  partnerId: string,
  kind: "secrets" | "keys",
  { id, ...flags }: ActFlags & { readonly id: string },
): Promise<void> {
  const given = { params: { partnerId, credentialId: id }, body: wordsOf(flags) };
  await withCalls((call) => call(`POST /partners/{partnerId}/${kind}/{credentialId}/retire`, given));
}

export async function setStatus(
  partnerId: string,
  verb: "suspend" | "resume" | "retire",
  flags: ActFlags,
): Promise<void> {
  const given = { params: { partnerId }, body: wordsOf(flags) };
  const { status, note: waits } = await withCalls((call) => call(`POST /partners/{partnerId}/${verb}`, given));
  print(`${partnerId} is ${status}.`);
  if (waits !== undefined) note(waits);
}

/** Exit code of what was not confirmed. */
export async function retire(partnerId: string, { yes, ...flags }: RetireFlags): Promise<ExitCode> {
  if (yes !== true && !(await confirm(`Retire ${partnerId} for good?`))) {
    note("Nothing was changed.");
    return exitCodes.failed;
  }
  await setStatus(partnerId, "retire", flags);
  return exitCodes.done;
}

export interface RetireFlags extends ActFlags {
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
      ["cells", partner.cells?.map(writeCell).join(", ")],
      ["waits for approval", openAct && `${openAct.does}: titian act show ${openAct.actId}`],
    ]),
  );
  print();
  showKeys(partner);
}

function writeCell({ cell, takesCallsFrom }: CellView): string {
  return takesCallsFrom === undefined ? String(cell) : `${cell} (from ${takesCallsFrom})`;
}

type CellView = NonNullable<Answer<"GET /partners/{partnerId}">["cells"]>[number];

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
  const { clientCertificate, tlsMin, cells } = flags;
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
    ...(cells !== undefined && { cells: splitList(cells).map(readCell) }),
  };
}

/** `none` by itself empties a list. */
function withoutNone(values: readonly string[]): readonly string[] {
  return values.length === 1 && values[0] === "none" ? [] : values;
}

function readCell(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw usageError(`--cells ${text}: a cell is a number, 0 for home`);
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((part) => part.trim());
}
