/** A client certificate as options name it: its file in PEM, or its SHA-256. */
import { X509Certificate } from "node:crypto";
import { usageError } from "../cli-error.ts";
import { readText } from "./public-key.ts";

/** SHA-256 of its DER in hexadecimal digits, with or without colons. */
export function readFingerprint(value: string): string {
  if (/^[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){31}$/.test(value)) return value;
  const pem = readText(value, `--client-certificate ${value}`);
  try {
    return new X509Certificate(pem).fingerprint256;
  } catch {
    throw usageError(`--client-certificate ${value} is no certificate in PEM.`);
  }
}
