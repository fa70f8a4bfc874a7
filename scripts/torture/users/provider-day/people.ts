/** Operators of the day: each has a home, a session of `titian login`, and the `titian` command. None has a master key or `psql`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { IdentityProvider } from "../../../../test/support/identity-provider.ts";
import { enterCode } from "../../../../test/support/operator-logins.ts";

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Person {
  readonly subject: string;
  readonly name: string;
  /** Where a person's commands go: a node's management listener. */
  readonly nodeUrl: string;
  /** URL of a person's own PostgreSQL role, where there is one. */
  readonly databaseUrl?: string;
}

export type Titian = (env: Readonly<Record<string, string>>, ...words: readonly string[]) => Promise<Ran>;

const main = fileURLToPath(new URL("../../../../packages/cli/src/main.mjs", import.meta.url));
const timeLimitMs = 60_000;
/** An approved act is carried out by a node's job, once a second. */
const carriedOutMs = 15_000;

/** A directory whose one program is `titian`: the whole PATH of people and nodes. */
export function makePath(directory: string): string {
  const bin = join(directory, "bin");
  mkdirSync(bin);
  const command = join(bin, "titian");
  writeFileSync(command, `#!${process.execPath} --conditions=source\nimport ${JSON.stringify(main)};\n`);
  chmodSync(command, 0o755);
  return bin;
}

export function commandOn(PATH: string): Titian {
  return async (env, ...words) => run({ PATH, ...env }, words);
}

async function run(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  onStderr: (all: string) => void = () => undefined,
): Promise<Ran> {
  const child = spawn("titian", words, { env, stdio: ["ignore", "pipe", "pipe"], timeout: timeLimitMs });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    stderr += part;
    onStderr(stderr);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, exitCode] = await Promise.all([text(child.stdout), ended]);
  return { exitCode, stdout, stderr };
}

/** Asserts that a command ended well; answers what it printed. */
export function done({ exitCode, stdout, stderr }: Ran): string {
  assert.equal(exitCode, 0, `${stdout}${stderr}`);
  return stdout;
}

export interface People {
  login(person: Person): Promise<string>;
  /** A command of the person's. */
  titian(person: Person, ...words: readonly string[]): Promise<Ran>;
  /** A command that must end with "waits for approval" (exit code 5). */
  propose(person: Person, ...words: readonly string[]): Promise<Proposed>;
  /** Approves the act, and waits until it was carried out. */
  approve(person: Person, actId: string): Promise<void>;
  /** One proposes by a command, the other approves: the four eyes of a change. Answers what the command printed. */
  byFourEyes(proposer: Person, approver: Person, ...words: readonly string[]): Promise<string>;
  /** A call of the person's session, over HTTP. */
  call(person: Person, method: string, path: string, body?: object): Promise<HttpAnswer>;
}

export interface Proposed {
  readonly actId: string;
  readonly stdout: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export function createPeople(directory: string, PATH: string, provider: IdentityProvider): People {
  const homeOf = ({ subject }: Person) => join(directory, "home", subject);
  const urlOf = ({ nodeUrl }: Person) => `${nodeUrl}/control`;
  const envOf = (person: Person) => ({
    PATH,
    HOME: homeOf(person),
    TITIAN_URL: urlOf(person),
    ...(person.databaseUrl !== undefined && { DATABASE_URL: person.databaseUrl }),
  });
  const titian = (person: Person, ...words: readonly string[]) => run(envOf(person), words);
  const propose = async (person: Person, ...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await titian(person, ...words);
    assert.equal(exitCode, 5, `titian ${words.join(" ")}: ${stdout}${stderr}`);
    return { actId: actIdIn(stderr), stdout };
  };
  const call = async (person: Person, method: string, path: string, body?: object): Promise<HttpAnswer> => {
    const sessions = JSON.parse(readFileSync(join(homeOf(person), ".config/titian/sessions.json"), "utf8"));
    const headers = { authorization: `Bearer ${sessions[urlOf(person)]}`, "content-type": "application/json" };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${urlOf(person)}/${path}`, { method, headers, ...init });
    return { status: response.status, body: (await response.json()) as HttpAnswer["body"] };
  };
  const approve = async (person: Person, actId: string) => {
    done(await titian(person, "act", "approve", actId, "--yes"));
    const until = Date.now() + carriedOutMs;
    for (;;) {
      const { body } = await call(person, "GET", `acts/${actId}`);
      if (body["state"] === "done") return;
      assert.ok(body["state"] === "approved" && Date.now() < until, JSON.stringify(body));
      await sleep(200);
    }
  };
  return {
    login: (person) => login(person, provider, envOf(person)),
    titian,
    propose,
    approve,
    byFourEyes: async (proposer, approver, ...words) => {
      const { actId, stdout } = await propose(proposer, ...words);
      await approve(approver, actId);
      return stdout;
    },
    call,
  };
}

export const actIdIn = (output: string): string =>
  /titian act show ([0-9a-f-]{36})/.exec(output)?.[1] ?? assert.fail(`No act is named: ${output}`);

async function login(
  person: Person,
  provider: IdentityProvider,
  env: Readonly<Record<string, string>> & { HOME: string },
) {
  mkdirSync(env.HOME, { recursive: true, mode: 0o700 });
  provider.expect({ subject: person.subject, factors: ["otp"] });
  let entered: Promise<void> | undefined;
  const ran = await run(env, ["login"], (all) => {
    const address = /(http\S+user_code=\S+) in a browser/.exec(all)?.[1];
    if (address !== undefined) entered ??= enterCode(address);
  });
  await entered;
  return done(ran);
}
