/** Keys and certificates that settings name, in PEM. */
import { createPrivateKey } from "node:crypto";

export const rsaBitsMin = 2048;

/** True for the text itself; false for the name of its file. */
export const isPem = (text: string): boolean => text.startsWith("-----BEGIN");

/** The key in PKCS#8 PEM. `text`: the PEM itself (line ends may be written `\n`), or the name of its file. */
export function readProviderKey(
  text: string | undefined,
  readText: (path: string) => string,
  onInvalid: () => void,
): string | undefined {
  if (text === undefined) return undefined;
  try {
    const pem = isPem(text) ? text.replaceAll("\\n", "\n") : readText(text);
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin) {
      return key.export({ type: "pkcs8", format: "pem" }).toString();
    }
  } catch {
    // Unreadable and malformed are one fault to the operator; the reason could quote the key.
  }
  onInvalid();
  return undefined;
}

/** Certificates in PEM; undefined without a file. */
export function readCertificates(
  file: string | undefined,
  readText: (path: string) => string,
  onInvalid: () => void,
): string | undefined {
  if (file === undefined) return undefined;
  try {
    const pem = readText(file);
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return pem;
  } catch {
    // Unreadable and malformed are one fault to the operator.
  }
  onInvalid();
  return undefined;
}
