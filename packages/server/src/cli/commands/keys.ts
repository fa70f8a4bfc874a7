/** `titian keys new`: a partner's own key pair, made where it stays. */
import { generateKeyPair } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Command } from "commander";
import { CliError, type ExitCode, exitCodes } from "../cli-error.ts";
import { note, print } from "../output.ts";

const examples = `
Examples:
  titian keys new
  titian keys new --out keys/shop-01

The private key stays with the partner and signs its calls; the bank registers the public one with
\`titian partner add --public-key <file>\`.`;

export function addKeys(program: Command, end: (code: ExitCode) => void): void {
  const keys = program.command("keys").description("make the keys a partner signs with");
  keys
    .command("new")
    .description("make an RSA key pair of 2048 bits; never overwrites one")
    .option("--out <dir>", "where to put private-key.pem and public-key.pem", ".")
    .addHelpText("after", examples)
    .action(async ({ out }: { readonly out: string }) => {
      await makeKeys(out);
      end(exitCodes.done);
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
  print(`Private key  ${privatePath}  (readable by you alone; it never leaves this machine)`);
  print(`Public key   ${publicPath}  (to register with the bank)`);
  note(`\nThe bank registers it with: titian partner add … --public-key ${publicPath}\n`);
  print(publicKey.trimEnd());
}

/** Fails rather than overwrites, also when the file came to be since we looked. */
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
    `${path} exists, and a key is never overwritten: whoever has registered it would be locked out. Choose another directory with --out.`,
  );
}
