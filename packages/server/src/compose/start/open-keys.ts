/** Opens the module that TITIAN_KEYS names, and with it the master keys (ADR 0087). */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { verifyRsa } from "@titian/contract";
import { type Keys, signBy, unsealBy } from "../../basics/keys.ts";
import type { MasterKeys } from "../../basics/secrets.ts";
import { type Config, ConfigError } from "../../config/config.ts";

const masterKeyBytes = 32;

/**
 * The configuration with its master keys unsealed, and the module that signs; without TITIAN_KEYS as it was. The module
 * proves that it signs with the key that partners know.
 * @throws ConfigError that says what the module did, and what to do.
 */
export async function openKeys(config: Config): Promise<Config> {
  const { keysModule, sealedMasterKeys, providerKey } = config;
  if (keysModule === undefined) return config;
  const keys = await load(keysModule);
  const masterKeys = sealedMasterKeys && (await unsealAll(keys, sealedMasterKeys));
  if (providerKey !== undefined) await proveSigning(keys, providerKey);
  return { ...config, keys, ...(masterKeys && { masterKeys }) };
}

async function load(path: string): Promise<Keys> {
  const file = resolve(path);
  const wanted = "Name an ES module whose default export has the functions sign and unseal";
  const found: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new ConfigError([`TITIAN_KEYS: ${file} does not load: ${messageOf(error)}. ${wanted}`]);
  });
  const keys = (found as { readonly default?: Partial<Keys> }).default;
  if (typeof keys?.sign === "function" && typeof keys.unseal === "function") return keys as Keys;
  throw new ConfigError([`TITIAN_KEYS: the default export of ${file} lacks sign or unseal. ${wanted}`]);
}

async function unsealAll(
  keys: Keys,
  { current, previous }: NonNullable<Config["sealedMasterKeys"]>,
): Promise<MasterKeys> {
  const opened = await unseal(keys, "TITIAN_MASTER_KEY", current);
  if (previous === undefined) return { current: opened };
  return { current: opened, previous: await unseal(keys, "TITIAN_MASTER_KEY_PREVIOUS", previous) };
}

const cure = "Nodes start only while the KMS answers: check that it runs, and that this node may use the key";

async function unseal(keys: Keys, setting: string, text: string): Promise<Buffer> {
  const bytes = await unsealBy(keys, text).catch((error: unknown) => {
    throw new ConfigError([`${setting}: ${messageOf(error)}. ${cure}`]);
  });
  if (bytes.byteLength === masterKeyBytes) return bytes;
  throw new ConfigError([
    `${setting}: unseal of TITIAN_KEYS answered ${bytes.byteLength} bytes, and a master key has ${masterKeyBytes}: seal the key's bytes, not their Base64`,
  ]);
}

const proof = "titian: a start proves the key that signs";

async function proveSigning(keys: Keys, publicKey: string): Promise<void> {
  const signature = await signBy(keys, proof).catch((error: unknown) => {
    throw new ConfigError([`TITIAN_PROVIDER_KEY: ${messageOf(error)}. ${cure}`]);
  });
  if (verifyRsa(publicKey, proof, signature)) return;
  throw new ConfigError([
    "TITIAN_PROVIDER_KEY does not verify what sign of TITIAN_KEYS made: set it to the public key that belongs to the key in " +
      "the KMS, and sign by RSASSA-PKCS1-v1_5 with SHA-256 (in many a KMS RSASSA_PKCS1_V1_5_SHA_256)",
  ]);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
