/** With which credentials a saved call is explained: given files, the database, or the sandbox's file. */
import { createPublicKey } from "node:crypto";
import { splitPath, suffixesOf } from "@titian/contract";
import { findPartnerSecrets, followSecrets, listPartnerSecrets } from "@titian/server/admin";
import { loadConfig } from "@titian/server/config";
import {
  type CallEvidence,
  createSecretFinder,
  type PartnerSecrets,
  type SecretFinder,
  secretsOf,
} from "@titian/explain";
import { note } from "../output.ts";
import { readPublicKey, readText } from "../options/public-key.ts";
import { readSandboxFile, sandboxFilePath, type SandboxPartner } from "../sandbox/sandbox-file.ts";
import { withCore } from "../with-core.ts";

export interface CredentialFlags {
  readonly partner?: string;
  readonly secretFile?: string;
  readonly publicKey?: string;
  readonly sandboxFile?: string;
}

export interface Credentials {
  readonly known: readonly PartnerSecrets[];
  readonly paths: CallEvidence["paths"];
  /** Finder of values that are not printed: also the secrets of partners whose keys are not tried. */
  readonly finder: SecretFinder;
}

const windowMsDefault = 300_000;
const otherPartnersMax = 30;
const usual = {
  status: "active",
  channelIdLengthMax: 5,
  acceptsMinifiedSignature: true,
  timestampWindowMs: windowMsDefault,
} as const;

/** `named`: the call's X-PARTNER-ID or X-CLIENT-KEY. `target`: its path and query. @throws CliError */
export async function findCredentials(flags: CredentialFlags, named: string, target: string): Promise<Credentials> {
  const { databaseUrl, administrationUrl, sandbox, timestampWindowMs, paths, masterKeys } = loadConfig({
    needsSecrets: false,
  });
  const id = flags.partner ?? named;
  if (flags.secretFile !== undefined || flags.publicKey !== undefined) {
    const known = [fromFiles(flags, id)];
    return { known, paths: pathsIn(target, paths) ?? paths, finder: createSecretFinder(secretsOf(known)) };
  }
  if ((databaseUrl ?? administrationUrl) === undefined || flags.sandboxFile !== undefined)
    return fromSandbox(flags.sandboxFile);
  return withCore(async ({ reference }) => {
    const own = findPartnerSecrets(reference, id, timestampWindowMs);
    // A mix-up of keys between partners is looked for in a sandbox alone.
    const others = sandbox ? listPartnerSecrets(reference, timestampWindowMs, otherPartnersMax) : [];
    const known = own === undefined ? others : [own, ...others.filter(({ key }) => key !== own.key)];
    const ownSecrets = masterKeys === undefined ? [] : [masterKeys.current.toString("base64")];
    return { known, paths, finder: followSecrets(reference, ownSecrets)() };
  });
}

function fromSandbox(path: string | undefined): Credentials {
  const file = sandboxFilePath(path);
  const { partners, pathPrefix, version, controlToken } = readSandboxFile(file);
  note(`Credentials of ${file}`);
  const known = partners.map(toSecrets);
  const paths = { prefixes: [pathPrefix], versions: [version], anyRoot: true };
  return { known, paths, finder: createSecretFinder([...secretsOf(known), { value: controlToken }]) };
}

/** The file does not have a partner's internal id: tokens are not compared with it. */
function toSecrets({
  partnerId,
  clientKey,
  clientSecret,
  privateKey,
  channelId,
  signing,
}: SandboxPartner): PartnerSecrets {
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
  const secrets = clientSecret === undefined ? [] : [clientSecret];
  return { ...usual, key: partnerId, partnerId, clientKey, signing, secrets, publicKeys: [publicKey], channelId };
}

/** Files say nothing of the service: its prefix and version are those of the call, if it ends in an operation's path. */
function pathsIn(target: string, { aliases }: Credentials["paths"]): Credentials["paths"] | undefined {
  const [path = ""] = target.split("?", 1);
  const parts = splitPath(path);
  if (parts === undefined || !suffixesOf(aliases).has(parts.suffix)) return undefined;
  return { prefixes: [parts.prefix], versions: [parts.version], ...(aliases && { aliases }) };
}

function fromFiles({ secretFile, publicKey }: CredentialFlags, id: string): PartnerSecrets {
  const secret = secretFile === undefined ? undefined : readText(secretFile);
  const trimmed = secret?.replace(/\r?\n$/, "");
  if (secret !== trimmed) note(`${secretFile}: the line break at its end is not part of the client secret.`);
  return {
    ...usual,
    key: id,
    partnerId: id,
    clientKey: id,
    signing: trimmed === undefined ? "asymmetric" : "symmetric",
    secrets: trimmed === undefined ? [] : [trimmed],
    publicKeys: publicKey === undefined ? [] : [readPublicKey(publicKey)],
    channelId: "",
    channelIdLengthMax: 36,
  };
}
