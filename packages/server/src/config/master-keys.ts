/** The keys that stored secrets are sealed with, from the settings. */
import type { MasterKeys } from "../basics/secrets.ts";

const names = ["TITIAN_MASTER_KEY", "TITIAN_MASTER_KEY_PREVIOUS"] as const;
type Name = (typeof names)[number];

const keyShape = /^[A-Za-z0-9+/_-]{43}=?$/;

/** True for the key itself; false for the name of its file. */
export const isMasterKey = (text: string): boolean => keyShape.test(text);

/** `onInvalid` gets the name of each that is no key; other faults are added. */
export function readMasterKeys(
  settings: Readonly<Partial<Record<Name, string>>>,
  readText: (path: string) => string,
  onInvalid: (name: Name) => void,
  faults: string[],
): MasterKeys | undefined {
  const [current, previous] = names.map((name) => {
    const given = settings[name];
    if (given === undefined) return undefined;
    const text = isMasterKey(given) ? given : readKeyFile(given, readText);
    if (!isMasterKey(text)) onInvalid(name);
    return Buffer.from(text, "base64");
  });
  if (current !== undefined) return previous === undefined ? { current } : { current, previous };
  if (previous !== undefined) faults.push("TITIAN_MASTER_KEY_PREVIOUS needs TITIAN_MASTER_KEY beside it");
  return undefined;
}

/** Empty where it cannot be read: one fault to the operator, since the reason could quote a key. */
function readKeyFile(path: string, readText: (path: string) => string): string {
  try {
    return readText(path).trim();
  } catch {
    return "";
  }
}
