/** Keys and certificates that settings name, in PEM. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { isPrivateKey } from "@titian/contract";
import type { TlsFiles } from "../../basics/tls.ts";

export const rsaBitsMin = 2048;

/** True for the text itself; false for the name of its file. */
export const isPem = (text: string): boolean => text.startsWith("-----BEGIN");

/** The key in PKCS#8 PEM. `text`: the PEM itself (line ends may be written `\n`), or the name of its file. */
export function readProviderKey(
  text: string | undefined,
  readText: (path: string) => string,
  onInvalid: () => void,
): string | undefined {
  const key = readRsaKey(text, readText, createPrivateKey, onInvalid);
  return key?.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public key in SPKI PEM; a private one is invalid, since it belongs elsewhere. `text`: as `readProviderKey`. */
export function readProviderPublicKey(
  text: string | undefined,
  readText: (path: string) => string,
  onInvalid: () => void,
): string | undefined {
  const parse = (pem: string) => (isPrivateKey(pem) ? undefined : createPublicKey(pem));
  const key = readRsaKey(text, readText, parse, onInvalid);
  return key?.export({ type: "spki", format: "pem" }).toString();
}

/** The public key in SPKI PEM, of a public or a private one. `text`: as `readProviderKey`. */
export function readPublicHalf(
  text: string | undefined,
  readText: (path: string) => string,
  onInvalid: () => void,
): string | undefined {
  const key = readRsaKey(text, readText, createPublicKey, onInvalid);
  return key?.export({ type: "spki", format: "pem" }).toString();
}

function readRsaKey(
  text: string | undefined,
  readText: (path: string) => string,
  parse: (pem: string) => KeyObject | undefined,
  onInvalid: () => void,
): KeyObject | undefined {
  if (text === undefined) return undefined;
  try {
    const key = parse(isPem(text) ? text.replaceAll("\\n", "\n") : readText(text));
    if (key?.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= rsaBitsMin) return key;
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

/** Names of the settings of a certificate and of its private key. */
type PairNames<Name extends string> = readonly [cert: Name, key: Name];

/** Both files, or a fault for what cannot be used. Absent: neither is set. */
export function readKeyPair<Name extends string>(
  [certName, keyName]: PairNames<Name>,
  { [certName]: certFile, [keyName]: keyFile }: { readonly [Key in Name]?: string | undefined },
  readText: (path: string) => string,
  onInvalid: (name: Name) => void,
  faults: string[],
): TlsFiles | undefined {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) {
    faults.push(`${certName} and ${keyName} belong together: a certificate and its private key`);
    return undefined;
  }
  const cert = readPem(certFile, readText, (pem) => new X509Certificate(pem));
  if (cert === undefined) onInvalid(certName);
  const key = readPem(keyFile, readText, createPrivateKey);
  if (key === undefined || cert?.value.checkPrivateKey(key.value) === false) onInvalid(keyName);
  return cert && key && { cert: cert.pem, key: key.pem };
}

/** Unreadable and malformed are one fault to the operator; the reason could quote the key. */
function readPem<Value>(file: string, readText: (path: string) => string, parse: (pem: string) => Value) {
  try {
    const pem = readText(file);
    return { pem, value: parse(pem) };
  } catch {
    return undefined;
  }
}
