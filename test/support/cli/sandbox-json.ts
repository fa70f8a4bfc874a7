/** A `sandbox.json` with two partners, for commands that need no running service. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TestSandboxFile extends Disposable {
  /** The data directory it lies in. */
  readonly dataDir: string;
  readonly clientSecret: string;
  /** PKCS#8 PEM of both partners. */
  readonly privateKey: string;
  /** SPKI PEM. */
  readonly publicKey: string;
}

/** `baseUrl` is where calls go; nothing listens at the default one. */
export function writeSandboxFile(baseUrl = "http://127.0.0.1:9"): TestSandboxFile {
  const dataDir = mkdtempSync(join(tmpdir(), "titian-cli-"));
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const clientSecret = "a-client-secret-of-the-test";
  const partner = (partnerId: string, signing: string) => ({
    partnerId,
    signing,
    clientSecret,
    privateKey,
    publicKey,
    clientKey: `key-of-${partnerId}`,
    channelId: "95221",
    sourceAccounts: ["1000000001"],
    merchants: ["M-1"],
  });
  const file = {
    baseUrl,
    pathPrefix: "/snap",
    version: "v1.0",
    controlToken: "the-control-token",
    bankCode: "999",
    databaseUrl: "postgres://nobody@127.0.0.1:9/none",
    partners: [partner("shop", "symmetric"), partner("bank", "asymmetric")],
    accounts: [{ accountNo: "1000000001", name: "Siti Nur Aini", currency: "IDR", status: "active", type: "S" }],
    merchants: [{ merchantId: "M-1", settlementAccountNo: "1000000001", payerAccountNo: "1000000001" }],
    scenarios: [],
  };
  writeFileSync(join(dataDir, "sandbox.json"), JSON.stringify(file));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  return { dataDir, clientSecret, privateKey, publicKey, [Symbol.dispose]: remove };
}
