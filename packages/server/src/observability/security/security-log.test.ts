import assert from "node:assert/strict";
import { hash as hashOfText } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { eventually } from "../../../../../test/support/black-box/answers.ts";
import { createLog } from "../log.ts";
import { createChain, readLine } from "./chain.ts";
import { verifySecurityLog } from "./read-log-files.ts";
import { burst } from "./event-buckets.ts";
import { openSecurityLog } from "./security-log.ts";
import { createChainVerifier } from "./verify-chain.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-security-"));
after(() => rmSync(directory, { recursive: true }));
let files = 0;
const newPath = () => join(directory, `${(files += 1)}.jsonl`);

/** The first fault of these lines, with its line; lines of a file each. */
function faultOf(...texts: readonly (readonly string[])[]): string | undefined {
  const verifier = createChainVerifier();
  for (const lines of texts) {
    for (const [index, text] of lines.entries()) {
      const fault = verifier.findFault(text, { startsFile: index === 0, next: lines[index + 1] });
      if (fault !== undefined) return `${index + 1}: ${fault}`;
    }
  }
  return undefined;
}

function linesOf(count: number, chain = createChain()): string[] {
  const opened = chain.line("log.opened", 0, { processId: 7 });
  const others = Array.from({ length: count - 1 }, (_, at) =>
    chain.line("authentication.failed", at, { address: `10.0.0.${at}`, partner: "alpha", reason: "signature" }),
  );
  return [opened, ...others];
}

test("a line that was removed, changed, swapped, doubled or added is found, and named", () => {
  const lines = linesOf(6);
  const [first = "", second = "", third = "", ...others] = lines;
  assert.equal(faultOf(lines), undefined);
  assert.match(faultOf([second, third, ...others]) ?? "", /^1: behind a gap: lines before it \(it is number 2\)/);
  assert.match(faultOf([first, third, ...others]) ?? "", /^2: behind a gap: lines 2 to 2 are missing/);
  assert.match(faultOf([first, ...others]) ?? "", /^2: behind a gap: lines 2 to 3 are missing/);
  assert.match(faultOf([first, third, second, ...others]) ?? "", /^2: behind a gap: lines 2 to 2/);
  assert.match(faultOf([first, second, second, third]) ?? "", /^3: not in its place: it is number 2, and 3 comes here/);
  assert.match(faultOf([first, second.replace("10.0.0.0", "10.0.0.9"), third]) ?? "", /^2: changed, or cut off/);
  assert.match(faultOf([first, second.slice(0, -9), third]) ?? "", /^2: changed, or cut off/);
  assert.match(faultOf([first, second, third.slice(0, 40)]) ?? "", /^3: changed, or cut off/);
  assert.match(faultOf([first, "", second]) ?? "", /^2: changed, or cut off/);
  assert.match(faultOf([first, ...linesOf(3)]) ?? "", /^2: behind a gap/, "another log put behind it");
});

test("a line that was made anew, with a hash of its own, is found by the line behind it", () => {
  const chain = createChain();
  const opened = chain.line("log.opened", 0, {});
  const genuine = chain.line("access.denied", 1, { partner: "alpha" });
  const next = chain.line("access.denied", 2, { partner: "alpha" });
  const { chain: id = "", previous = "" } = readLine(genuine) ?? {};
  const forger = createChain();
  forger.line("log.opened", 0, {});
  const forged = forger.line("access.denied", 1, { partner: "beta" });
  assert.match(faultOf([opened, forged, next]) ?? "", /^2: of another chain/);
  assert.ok(id !== "" && previous === readLine(opened)?.hash);
  // Another that follows the same line, in the same chain, as whoever can compute hashes makes it.
  const replaced = remake(genuine, { partner: "beta" });
  assert.match(faultOf([opened, replaced, next]) ?? "", /^3: behind another line than when it was written/);
});

/** The line with other facts, and the hash that fits. */
function remake(text: string, facts: object): string {
  const { hash: _hash, previous, ...line } = readLine(text) ?? assert.fail();
  const body = JSON.stringify({ ...line, ...facts, previous });
  return `${body.slice(0, -1)},"hash":"${hashOfText("sha256", body)}"}`;
}

test("facts are those that are named, and short: nothing else reaches a line", () => {
  const facts = { partner: "p".repeat(500), reason: "token", secret: "hunter2", body: "{}" };
  const line = createChain().line("authentication.failed", 0, facts);
  assert.doesNotMatch(line, /hunter2|secret|body/);
  assert.equal(readLine(line)?.partner?.length, 200);
});

function openLog(path: string, state = { now: 0 }) {
  const lines: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const clock = { real: () => 1_700_000_000_000, monotonic: () => state.now };
  return openSecurityLog({ path, clock, log }).then((security) => ({ security, lines, state }));
}

const eventsIn = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => readLine(text)?.event ?? "unreadable");

test("the file is its owner's; starts follow one another, and one behind a removed end is found", async () => {
  const path = newPath();
  writeFileSync(path, "", { mode: 0o644 });
  for (let start = 0; start < 2; start += 1) {
    const { security } = await openLog(path);
    security.add("token.issued", "", () => ({ partner: "alpha" }));
    await security[Symbol.asyncDispose]();
  }
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const ofStart = ["log.opened", "token.issued", "log.closed"];
  assert.deepEqual(eventsIn(path), [...ofStart, ...ofStart]);
  const { last, fault, lines } = await verifySecurityLog([path]);
  assert.deepEqual([lines, fault, last?.event], [6, undefined, "log.closed"]);
  assert.equal((await verifySecurityLog([path], last?.hash)).hasExpected, true);
  const texts = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, texts.filter((_, at) => at !== 2).join("\n"));
  assert.match((await verifySecurityLog([path])).fault?.what ?? "", /lines before it \(it is number 1\) are missing/);
  writeFileSync(path, `${texts.slice(0, 5).join("\n")}\n`);
  const cut = await verifySecurityLog([path], last?.hash);
  assert.deepEqual([cut.fault, cut.hasExpected], [undefined, false], "the end is found by what was noted elsewhere");
});

test("a file that was moved is left with its lines, and the chain goes on in the next", async () => {
  const path = newPath();
  const { security } = await openLog(path);
  security.add("token.issued", "", () => ({}));
  renameSync(path, `${path}.1`);
  await security[Symbol.asyncDispose]();
  const both = [`${path}.1`, path] as const;
  const moved = eventsIn(both[0]);
  assert.deepEqual(moved.toSorted(), ["log.closed", "log.opened", "log.rotated", "token.issued"].toSorted());
  assert.deepEqual(eventsIn(path), ["log.continued"]);
  assert.equal((await verifySecurityLog(both)).fault, undefined);
  assert.equal((await verifySecurityLog([path])).fault, undefined, "a later file alone");
  assert.match((await verifySecurityLog([path, both[0]])).fault?.what ?? "", /lines before it/);
  const lastLine = readFileSync(both[0], "utf8").split("\n").at(-2) ?? "";
  truncateSync(both[0], statSync(both[0]).size - lastLine.length - 1);
  assert.equal((await verifySecurityLog(both)).fault?.path, path, "its end is missing");
});

test("a line that a process did not live to write whole is told by the next, and excuses no other", async () => {
  const path = newPath();
  await (await openLog(path)).security[Symbol.asyncDispose]();
  appendFileSync(path, '{"chain":"0');
  await (await openLog(path)).security[Symbol.asyncDispose]();
  assert.deepEqual(eventsIn(path), ["log.opened", "log.closed", "unreadable", "log.opened", "log.closed"]);
  assert.equal((await verifySecurityLog([path])).fault, undefined);
  const texts = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, texts.toSpliced(1, 1).join("\n"));
  assert.equal((await verifySecurityLog([path])).fault?.line, 3);
  writeFileSync(path, texts.toSpliced(2, 0, "{}").join("\n"));
  assert.equal((await verifySecurityLog([path])).fault?.line, 3);
  writeFileSync(path, texts.toSpliced(2, 1).join("\n"));
  assert.equal((await verifySecurityLog([path])).fault?.line, 3, "the remainder is gone");
});

test("a flood of one partner is counted, others keep their lines; a file of somebody else is told", async () => {
  const path = newPath();
  const { security, lines } = await openLog(path);
  for (let i = 0; i < burst + 20; i += 1) security.add("authentication.failed", "p", () => ({ partner: "p" }));
  security.add("authentication.failed", "q", () => ({ partner: "q" }));
  assert.equal(security.counts().omitted, 20);
  appendFileSync(path, "{}\n");
  await security[Symbol.asyncDispose]();
  assert.match(readFileSync(path, "utf8"), /"event":"log\.omitted","count":20,/);
  assert.match(readFileSync(path, "utf8"), /"partner":"q"/);
  assert.match(lines.join(""), /security_log\.altered/);
});

test("what cannot be a log stops the start", async () => {
  await assert.rejects(openLog(directory), /EISDIR/);
  await assert.rejects(openLog("/dev/null"), /is no file/);
});

test("a failed write is counted and told, stops nobody, and loses no line", async () => {
  const place = join(directory, "place");
  mkdirSync(place);
  const path = join(place, "security.jsonl");
  const { security, lines } = await openLog(path);
  security.add("token.issued", "", () => ({ partner: "first" }));
  renameSync(place, `${place}.1`);
  await eventually(async () => security.counts().failures > 0);
  assert.match(lines.join(""), /security_log\.failed.*ENOENT/);
  security.add("token.issued", "", () => ({ partner: "second" }));
  mkdirSync(place);
  await security[Symbol.asyncDispose]();
  assert.equal((await verifySecurityLog([join(`${place}.1`, "security.jsonl"), path])).fault, undefined);
  const all = readFileSync(join(`${place}.1`, "security.jsonl"), "utf8");
  for (const said of ["first", "second", "log.closed"]) assert.match(all, new RegExp(said));
});
