/** The keys that stored secrets are sealed with, from the settings. */
import type { MasterKeys } from "../basics/secrets.ts";

const names = ["TITIAN_MASTER_KEY", "TITIAN_MASTER_KEY_PREVIOUS"] as const;
type Name = (typeof names)[number];

/** `onInvalid` gets the name of each that is no key; other faults are added. */
export function readMasterKeys(
  settings: Readonly<Partial<Record<Name, string>>>,
  onInvalid: (name: Name) => void,
  faults: string[],
): MasterKeys | undefined {
  const [current, previous] = names.map((name) => {
    const text = settings[name];
    if (text === undefined) return undefined;
    const key = Buffer.from(text, "base64");
    if (key.length !== 32 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) onInvalid(name);
    return key;
  });
  if (current !== undefined) return previous === undefined ? { current } : { current, previous };
  if (previous !== undefined) faults.push("TITIAN_MASTER_KEY_PREVIOUS needs TITIAN_MASTER_KEY beside it");
  return undefined;
}
