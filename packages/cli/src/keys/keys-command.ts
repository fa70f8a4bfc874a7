/** `titian keys new`: creates a partner's key pair on the partner's machine. */
import { generateKeyPair } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { note, print } from "../output.ts";

const examples = `
Examples:
  titian keys new
  titian keys new --out keys/shop-01

The private key stays with the partner and signs its calls; the bank registers the public one with
\`titian partner add --public-key <file>\`.`;

export function addKeys(program: Command): void {
  const keys = program.command("keys").description("create a partner's signing keys");
  keys
    .command("new")
    .description("create an RSA key pair of 2048 bits; never overwrites files")
    .option("--out <dir>", "directory for private-key.pem and public-key.pem", ".")
    .addHelpText("after", examples)
    .action(async ({ out }: { readonly out: string }) => {
      await makeKeys(out);
    });
}

async function makeKeys(directory: string): Promise<void> {
  const privatePath = join(directory, "private-key.pem");
  const publicPath = join(directory, "public-key.pem");
  for (const path of [privatePath, publicPath]) if (existsSync(path)) throw exists(path);
  const { privateKey, publicKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  write(privatePath, privateKey);
  write(publicPath, publicKey);
  print(`Private key  ${privatePath}  (keep it secret; readable by this user only)`);
  print(`Public key   ${publicPath}  (to register with the bank)`);
  note(`\nThe bank registers it with: titian partner add … --public-key ${publicPath}\n`);
  print(publicKey.trimEnd());
}

/** Never overwrites a file, not even one created since the check. */
function write(path: string, pem: string): void {
  try {
    writeFileSync(path, pem, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") throw exists(path);
    throw error;
  }
}

function exists(path: string): CliError {
  return new CliError(
    `${path} exists and is not overwritten, because the key may be registered. Choose another directory with --out.`,
  );
}
