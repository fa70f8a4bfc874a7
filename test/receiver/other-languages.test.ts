/**
 * Goal: the programs of docs/receiving-notifications.md verify what we sign. Method: each runs with the vector G8 where
 * its language is installed; the document holds the very files.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import vectors from "../../vectors/snap-test-vectors.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "titian-languages-"));
const keyFile = join(directory, "provider.pem");
writeFileSync(keyFile, vectors.generated.provider.publicKey);
after(() => rmSync(directory, { recursive: true }));

const vector = vectors.generated.vectors.find(({ id }) => id === "G8");
const { path = "", timestamp, signatureBase64, bodyAsSent = "" } = vector ?? assert.fail("G8");

interface Language {
  readonly file: string;
  /** Succeeds where the language and what the program needs are installed. */
  readonly needs: readonly [string, ...string[]];
  readonly build?: readonly [string, ...string[]];
  readonly program: readonly [string, ...string[]];
}

const sourceOf = (file: string) => join(root, "examples/receivers", file);
const [php, go, java, python] = ["php/verify.php", "go/verify.go", "java/Verify.java", "python/verify.py"] as const;
const goProgram = join(directory, "verify");
const languages: readonly Language[] = [
  {
    file: php,
    needs: ["php", "-r", "exit(function_exists('openssl_verify') ? 0 : 1);"],
    program: ["php", sourceOf(php)],
  },
  { file: go, needs: ["go", "version"], build: ["go", "build", "-o", goProgram, sourceOf(go)], program: [goProgram] },
  {
    file: java,
    needs: ["javac", "-version"],
    build: ["javac", "-d", directory, sourceOf(java)],
    program: ["java", "-XX:TieredStopAtLevel=1", "-cp", directory, "Verify"],
  },
  { file: python, needs: ["python3", "-c", "import cryptography"], program: ["python3", sourceOf(python)] },
];

async function run(program: string, args: readonly string[], body: string): Promise<string> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], timeout: 60_000, killSignal: "SIGKILL" });
  child.stdin.on("error", () => undefined);
  child.stdin.end(body);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output.trim();
}

const succeeds = ([program, ...args]: readonly [string, ...string[]]) => spawnSync(program, args).status === 0;

for (const { file, needs, build, program } of languages) {
  const skip = succeeds(needs) ? false : `${needs[0]}, or what ${file} needs, is not installed`;
  test(`${file} verifies the vector, and not an altered one`, { skip }, async () => {
    assert.ok(build === undefined || succeeds(build));
    const [command, ...args] = program;
    const verify = (body: string, at = path) => run(command, [...args, keyFile, at, timestamp, signatureBase64], body);
    // The vector is old.
    const results = await Promise.all([verify(bodyAsSent), verify(`${bodyAsSent} `), verify(bodyAsSent, `${path}?`)]);
    assert.deepEqual(results, ["verified, not recent", "rejected, not recent", "rejected, not recent"]);
  });
}

test("the document holds the programs as they are tested", () => {
  const document = readFileSync(join(root, "docs/receiving-notifications.md"), "utf8");
  const mounted = ["node-http.ts", "express.mjs", "fastify.ts", "next-route.ts"];
  for (const program of ["receiver.ts", ...mounted, "postgres-store.ts", "mode-1.ts", php, go, java, python]) {
    const source = readFileSync(sourceOf(program), "utf8");
    assert.ok(document.includes(`\n${source}\`\`\``), program);
  }
});
