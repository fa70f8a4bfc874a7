/** Action of `titian provider-key show`. */
import { createHash, createPublicKey } from "node:crypto";
import { loadConfig } from "@titian/server/config";
import { usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";

/** Hex digits of an id; `titian partner notify` shows all 64. */
const idLength = 16;

export function showProviderKeys({ json }: { readonly json?: true }): void {
  const { providerKey, nextProviderKey, sandbox } = loadConfig({ needsSecrets: false });
  const ofSandbox = () => (sandbox ? readSandboxFile(sandboxFilePath(undefined)).provider?.publicKey : undefined);
  const current = providerKey ?? ofSandbox();
  if (current === undefined)
    throw usageError("TITIAN_PROVIDER_KEY is not set: it is the key that notifications are signed with.");
  const keys = [{ use: "signs now", ...describe(current) }];
  const next = nextProviderKey === undefined ? undefined : describe(nextProviderKey);
  // The same, where it signs already and is not removed yet.
  if (next !== undefined && next.sha256 !== keys[0]?.sha256) keys.push({ use: "next", ...next });
  if (json === true) return print(formatJson({ keys }));
  for (const { use, id, publicKey } of keys) print(`${use}  ${id}\n${publicKey}`);
  note(
    "A partner's receiver takes several keys: give it all of them. An id is the start of the SHA-256 of the key (SPKI, DER).",
  );
}

function describe(pem: string) {
  const key = createPublicKey(pem);
  const sha256 = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
  return { id: sha256.slice(0, idLength), sha256, publicKey: key.export({ type: "spki", format: "pem" }).toString() };
}
