/**
 * The receivers of docs/guides/receiving-notifications.md in other languages, run with notifications that are genuine,
 * altered, old, another partner's, and in every form that the key of an event takes. What each must say is what
 * `createReceiver` decides.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { formatTimestamp } from "@titian/contract";
import {
  bulk,
  bulkPath,
  type Delivery,
  deliver,
  publicKey,
  rtgs,
  rtgsPath,
  sign,
  skn,
  sknPath,
  testReceiver,
} from "../../../packages/client/test/helpers/provider.ts";
import vectors from "../../../vectors/snap-test-vectors.json" with { type: "json" };

type Command = readonly [string, ...string[]];

export interface Sample {
  readonly language: string;
  /** Below examples/calls. */
  readonly file: string;
  /** Succeeds where the language and what the program needs are installed. */
  readonly needs: Command;
  /** The program, built into the directory where it has to be. */
  readonly build: (source: string, directory: string) => Command | undefined;
  readonly program: (source: string, directory: string) => Command;
}

export const samples: readonly Sample[] = [
  {
    language: "JavaScript",
    file: "javascript/verify.mjs",
    needs: [process.execPath, "-v"],
    build: () => undefined,
    program: (source) => [process.execPath, "--conditions=source", source],
  },
  {
    language: "PHP",
    file: "php/verify.php",
    needs: ["php", "-r", "exit(function_exists('openssl_verify') ? 0 : 1);"],
    build: () => undefined,
    program: (source) => ["php", source],
  },
  {
    language: "Go",
    file: "go/verify/verify.go",
    needs: ["go", "version"],
    build: (source, directory) => ["go", "build", "-o", join(directory, "verify"), source],
    program: (_source, directory) => [join(directory, "verify")],
  },
  {
    language: "Java",
    file: "java/Verify.java",
    needs: ["javac", "-version"],
    build: (source, directory) => ["javac", "-d", directory, source],
    program: (_source, directory) => [
      "java",
      "-XX:TieredStopAtLevel=1",
      "-XX:+UseSerialGC",
      "-cp",
      directory,
      "Verify",
    ],
  },
  {
    language: "Python",
    file: "python/verify.py",
    needs: ["python3", "-c", "import cryptography"],
    build: () => undefined,
    program: (source) => [pythonExecutable(), source],
  },
];

/** The interpreter itself: a version manager's `python3` is a slow script. */
const pythonExecutable = (): string =>
  execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();

const succeeds = ([program, ...args]: Command): boolean => spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** A sentence where the sample cannot run here. */
export function missingFor({ language, file, needs }: Sample): string | undefined {
  return succeeds(needs) ? undefined : `${language} is not installed, or what ${file} needs: ${needs.join(" ")}`;
}

const sources = resolve(import.meta.dirname, "../../../examples/calls");

/** Answers how many notifications it was given. */
export async function checkSample({ file, build, program }: Sample): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "titian-sample-"));
  try {
    const keyFile = join(directory, "provider.pem");
    writeFileSync(keyFile, publicKey);
    const source = join(sources, file);
    const built = build(source, directory);
    assert.ok(built === undefined || succeeds(built), `${file} does not compile`);
    const [command, ...args] = program(source, directory);
    const bare = spawnSync(command, args, { encoding: "utf8", input: "" });
    assert.match(`${bare.status} ${bare.stderr}`, /^1 Usage: .* < body\n$/, file);
    const cases = await casesOf();
    const said = await Promise.all(
      cases.map(({ delivery: { path, headers, body } }) => {
        const { "x-timestamp": timestamp = "", "x-signature": signature = "" } = headers;
        return run(command, [...args, keyFile, "PARTNER-1", path, timestamp, signature], body);
      }),
    );
    const expected = cases.map(({ name, decision }) => `${name}: ${decision}`);
    assert.deepEqual(
      cases.map(({ name }, index) => `${name}: ${said[index]}`),
      expected,
    );
    return cases.length;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function run(program: string, args: readonly string[], body: string | Uint8Array): Promise<string> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], timeout: 60_000, killSignal: "SIGKILL" });
  child.stdin.on("error", () => undefined);
  child.stdin.end(body);
  const [output] = await Promise.all([text(child.stdout), once(child, "close")]);
  return output.trim();
}

const { originalReferenceNo: _ours, ...withoutOurs } = rtgs;
const { originalPartnerReferenceNo: _theirs, ...withoutNumber } = withoutOurs;
const named = (additionalInfo: unknown) => ({ ...rtgs, additionalInfo });
const nineFields = {
  originalReferenceNo: "01JD7K9N2P3Q4R5S6T7V8W9X0Z",
  originalPartnerReferenceNo: "PAY-Ü-0001",
  responseCode: "2000000",
  responseMessage: "Successful",
  amount: { value: "1500000.00", currency: "IDR" },
  beneficiaryAccountNo: "7001001001",
  sourceAccountNo: "1001000001",
};
const { originalPartnerReferenceNo: _item, ...itemOfOurs } = nineFields;
const written = '{ "10": [true, false, null, -1.5e3], "10\\u00e9": "\\ud83d\\ude00 \\/ \\"<&>\\"" }';

/** The lists of a request's `additionalInfo` that is as deep as it may be. */
const deepest: unknown = JSON.parse(`${"[".repeat(15)}${"]".repeat(15)}`);

/** Bodies that are signed just now: the name of the case, its path, what is sent. */
const bodies: readonly (readonly [name: string, path: string, body: object | string])[] = [
  ["76", rtgsPath, rtgs],
  ["75 that failed", sknPath, { ...skn, latestTransactionStatus: "06" }],
  ["21 with three fields an item", bulkPath, bulk],
  ["21 with nine fields an item", bulkPath, { ...bulk, bulkObject: [nineFields, itemOfOurs] }],
  ["no number of the provider", rtgsPath, withoutOurs],
  ["no number", rtgsPath, withoutNumber],
  ["a blank number of the provider", rtgsPath, { ...rtgs, originalReferenceNo: "" }],
  ["spaces, escapes and free form", rtgsPath, JSON.stringify(rtgs, null, 1).replace("{", `{ "free": ${written},`)],
  ["as deep as a body can be", rtgsPath, named({ partnerId: "PARTNER-1", value: deepest })],
  ["another partner's", rtgsPath, named({ partnerId: "PARTNER-2" })],
  [
    "another partner's, with ours in other letters",
    rtgsPath,
    named({ partnerId: "PARTNER-2", partnerid: "PARTNER-1" }),
  ],
  [
    "another partner's, with ours under value",
    rtgsPath,
    named({ partnerId: "PARTNER-2", value: { partnerId: "PARTNER-1" } }),
  ],
  ["no partner", rtgsPath, named(undefined)],
  ["a text for additionalInfo", rtgsPath, named("PARTNER-1")],
  ["a list for additionalInfo", rtgsPath, named([{ partnerId: "PARTNER-1" }])],
];

interface Case {
  readonly name: string;
  readonly delivery: Delivery;
  /** The line that the sample prints. */
  readonly decision: string;
}

async function casesOf(): Promise<readonly Case[]> {
  const now = Date.now();
  const timestamp = formatTimestamp(now);
  const fresh = bodies.map(([name, path, body]) => ({ name, delivery: sign(body, { path, timestamp }) }));
  const genuine = sign(rtgs, { timestamp });
  const vector = vectors.generated.vectors.find(({ id }) => id === "G8");
  const { path = "", bodyAsSent = "" } = vector ?? {};
  const others = [
    { name: "an altered body", delivery: { ...genuine, body: `${String(genuine.body)} ` } },
    { name: "an altered path", delivery: { ...genuine, path: `${rtgsPath}?a=1` } },
    { name: "ten minutes old", delivery: sign(rtgs, { timestamp: formatTimestamp(now - 600_000) }) },
    { name: "the vector G8", delivery: sign(bodyAsSent, { path, timestamp: vector?.timestamp ?? "" }) },
  ];
  return Promise.all([...fresh, ...others].map(async (one) => ({ ...one, decision: await decide(one.delivery, now) })));
}

/** Decision of `createReceiver` on it. */
async function decide(delivery: Delivery, now: number): Promise<string> {
  const events: string[] = [];
  const note = (
    _notification: unknown,
    key: { readonly serviceCode: string; readonly number: string; readonly status: string },
  ) => void events.push(`verified: ${key.serviceCode} ${key.number} ${key.status}`);
  const { receiver, rejected } = testReceiver({ on: { rtgs: note, skn: note, bulk: note }, clock: { now: () => now } });
  await deliver(receiver, delivery);
  const steps = { signature: "signature", timestamp: "not recent", partner: "not for this partner" };
  const step = rejected[0]?.step;
  if (step === undefined) return events[0] ?? "nothing";
  return step in steps ? `rejected: ${steps[step as keyof typeof steps]}` : `createReceiver: ${step}`;
}
