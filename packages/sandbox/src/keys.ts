/** The sandbox's own keys, made at the first start and kept in the data directory: every node of it works by them. */
import { generateKeyPair } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { fits, object, record, type Static, string } from "@titian/contract";
import { newSecret } from "@titian/server/admin";
import { seededPartners } from "./seed-data.ts";
import { createPrivateFile, readFileIfThere } from "./private-file.ts";

const pairMembers = { privateKey: string(), publicKey: string() };
const KeyPair = object(pairMembers);

const SandboxKeys = object({
  /** 32 bytes in Base64. */
  masterKey: string({ pattern: "^[A-Za-z0-9+/]{43}=$" }),
  provider: KeyPair,
  controlToken: string({ minLength: 32 }),
  /** By partner id. */
  partners: record(object({ ...pairMembers, clientSecret: string() })),
});

export type SandboxKeys = Static<typeof SandboxKeys>;

const makeKeyPair = promisify(generateKeyPair);
const fileName = "sandbox-keys.json";

/** Reads the keys of the data directory; makes them at the first start, which takes a second or two. */
export async function openSandboxKeys(dataDir: string, onProgress: (text: string) => void): Promise<SandboxKeys> {
  const path = join(dataDir, fileName);
  const kept = readFileIfThere(path);
  if (kept !== undefined) return parseKeys(path, kept);
  onProgress("Making the sandbox's keys (once)");
  const made = await makeKeys();
  if (createPrivateFile(path, `${JSON.stringify(made, undefined, 2)}\n`)) return made;
  // Another process of the same data directory was first: its keys count.
  return parseKeys(path, readFileIfThere(path) ?? "");
}

async function makeKeys(): Promise<SandboxKeys> {
  const [provider, ...pairs] = await Promise.all([makeRsaPair(), ...seededPartners.map(() => makeRsaPair())]);
  return {
    masterKey: Buffer.from(newSecret(32), "base64url").toString("base64"),
    provider,
    controlToken: newSecret(32),
    partners: Object.fromEntries(
      seededPartners.map(({ partnerId }, position) => [
        partnerId,
        { ...(pairs[position] as Static<typeof KeyPair>), clientSecret: newSecret(24) },
      ]),
    ),
  };
}

export async function makeRsaPair(): Promise<Static<typeof KeyPair>> {
  return makeKeyPair("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

function parseKeys(path: string, text: string): SandboxKeys {
  try {
    const keys: unknown = JSON.parse(text);
    if (fits(SandboxKeys, keys)) return keys;
  } catch {
    // Not told why: the text is all secrets.
  }
  throw new Error(`${path} does not hold the sandbox's keys. Restore it, or remove the data directory to start anew.`);
}
