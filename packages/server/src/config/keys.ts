/** Settings of the keys that stored secrets are sealed with, and of the one that notifications are signed with. */
import { optional, string } from "@titian/contract";
import type { Keys } from "../basics/keys.ts";
import type { MasterKeys } from "../basics/secrets.ts";
import { readProviderKey, readProviderPublicKey, readPublicHalf, rsaBitsMin } from "./files/pem-files.ts";

export const keyVariables = {
  TITIAN_KEYS: optional(string({ description: "the file of an ES module that reaches the keys" })),
  TITIAN_MASTER_KEY: optional(
    string({ description: "32 random bytes in base64 (openssl rand -base64 32), or the name of their file" }),
  ),
  TITIAN_MASTER_KEY_PREVIOUS: optional(string({ description: "32 bytes in base64, or the name of their file" })),
  TITIAN_PROVIDER_KEY: optional(
    string({ description: `an RSA private key of at least ${rsaBitsMin} bits in PEM, or the name of its file` }),
  ),
  TITIAN_PROVIDER_KEY_NEXT: optional(
    string({
      description: `an RSA key of at least ${rsaBitsMin} bits in PEM, public or private, or the name of its file`,
    }),
  ),
};

const names = ["TITIAN_MASTER_KEY", "TITIAN_MASTER_KEY_PREVIOUS"] as const;

type Settings = Readonly<Partial<Record<keyof typeof keyVariables, string>>>;
/** Gets the name of each setting that is no key. */
type OnInvalid = (name: Exclude<keyof typeof keyVariables, "TITIAN_KEYS">) => void;

export interface KeyConfig {
  /** Absent only in the sandbox, which makes its own, where no secret is needed, and until `openKeys` where they are sealed. */
  readonly masterKeys?: MasterKeys;
  /** The provider's RSA key in PEM: the private one (PKCS#8), with `keysModule` the public one (SPKI). Absent in the sandbox, and where no secret is needed. */
  readonly providerKey?: string;
  /** Public key (SPKI PEM) that is announced to partners beside it, and signs nothing yet. */
  readonly nextProviderKey?: string;
  /** File of the module that signs and unseals, and what it unseals. */
  readonly keysModule?: string;
  readonly sealedMasterKeys?: { readonly current: string; readonly previous?: string };
  /** That module, once `openKeys` has opened it. */
  readonly keys?: Keys;
}

const keyShape = /^[A-Za-z0-9+/_-]{43}=?$/;

/** True for the key itself; false for the name of its file. */
const isMasterKey = (text: string): boolean => keyShape.test(text);

/** True for a setting of a master key that names its file. */
export function namesKeyFile({ TITIAN_KEYS: module }: Settings, name: string, value: string): boolean {
  return !(names as readonly string[]).includes(name) || (module === undefined && !isMasterKey(value));
}

/** Other faults than those of `onInvalid` are added. */
export function readKeys(
  settings: Settings,
  readText: (path: string) => string,
  onInvalid: OnInvalid,
  faults: string[],
): KeyConfig {
  const { TITIAN_KEYS: keysModule, TITIAN_PROVIDER_KEY: given } = settings;
  const [current, previous] = names.map((name) => settings[name]);
  if (current === undefined && previous !== undefined) faults.push(`${names[1]} needs ${names[0]} beside it`);
  const nextProviderKey = readPublicHalf(settings.TITIAN_PROVIDER_KEY_NEXT, readText, () =>
    onInvalid("TITIAN_PROVIDER_KEY_NEXT"),
  );
  const next = { ...(nextProviderKey !== undefined && { nextProviderKey }) };
  if (keysModule === undefined) {
    const masterKeys = readMasterKeys(settings, readText, onInvalid);
    const providerKey = readProviderKey(given, readText, () => onInvalid("TITIAN_PROVIDER_KEY"));
    return { ...next, ...(masterKeys && { masterKeys }), ...(providerKey !== undefined && { providerKey }) };
  }
  const providerKey = readProviderPublicKey(given, readText, () =>
    faults.push(
      "TITIAN_PROVIDER_KEY must be, beside TITIAN_KEYS, the public key of what signs there: an RSA public key of at least " +
        `${rsaBitsMin} bits in PEM, or the name of its file`,
    ),
  );
  return {
    ...next,
    keysModule,
    ...(current !== undefined && { sealedMasterKeys: { current, ...(previous !== undefined && { previous }) } }),
    ...(providerKey !== undefined && { providerKey }),
  };
}

function readMasterKeys(
  settings: Settings,
  readText: (path: string) => string,
  onInvalid: OnInvalid,
): MasterKeys | undefined {
  const [current, previous] = names.map((name) => {
    const given = settings[name];
    if (given === undefined) return undefined;
    const text = isMasterKey(given) ? given : readKeyFile(given, readText);
    if (!isMasterKey(text)) onInvalid(name);
    return Buffer.from(text, "base64");
  });
  if (current === undefined) return undefined;
  return previous === undefined ? { current } : { current, previous };
}

/** Empty where it cannot be read: one fault to the operator, since the reason could quote a key. */
function readKeyFile(path: string, readText: (path: string) => string): string {
  try {
    return readText(path).trim();
  } catch {
    return "";
  }
}
