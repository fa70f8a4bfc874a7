/** A public key in a file that a command names. */
import { createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { isPrivateKey, privateKeyAdvice } from "@titian/contract";
import { usageError } from "../cli-error.ts";

/** In PEM. @throws CliError */
export function readPublicKey(path: string): string {
  const pem = readText(path);
  if (isPrivateKey(pem)) throw usageError(`${path} holds a private key, ${privateKeyAdvice}`);
  try {
    return createPublicKey(pem).export({ type: "spki", format: "pem" }).toString();
  } catch {
    throw usageError(`${path} holds no public key in PEM.`);
  }
}

/** @param named what the message calls it */
export function readText(path: string, named = path): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usageError(`${named} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
