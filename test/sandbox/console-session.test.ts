/** Sessions of the console: who gets one, and what it is good for; the pages and their headers. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { after, test } from "node:test";
import { promisify } from "node:util";
import Fastify from "fastify";
import { createConsoleRoutes } from "../../packages/control/src/sessions/serve-console.ts";
import { createSessions } from "../../packages/control/src/sessions/sessions.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createServedHosts } from "../../packages/server/src/basics/host-names.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const { file, startNode } = stack.use(await startSandbox());
const { port, host, origin } = new URL(file.baseUrl);

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** A request with whatever Host and Origin: `fetch` sets them itself. */
function ask(method: string, path: string, headers: Headers = {}, body?: string, to = port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = send({ host: "127.0.0.1", port: to, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    outgoing.on("error", reject).end(body);
  });
}

const run = promisify(execFile);

const json = { "Content-Type": "application/json" };
const page = { ...json, Host: host, Origin: origin, "Sec-Fetch-Site": "same-origin" };
const openSession = (headers: Headers, body = "{}", to = port) => ask("POST", "/sandbox/session", headers, body, to);

const cookieOf = ({ headers }: Answer) => String(headers["set-cookie"]).split(";")[0] ?? "";
const session = await openSession(page);
const cookie = cookieOf(session);
const read = (headers: Headers) => ask("GET", "/sandbox/clock", { Host: host, Cookie: cookie, ...headers });

test("a page of ours on this machine gets a session, in a cookie that no script reads and no other site sends", async () => {
  assert.equal(session.status, 200, session.text);
  const attributes = String(session.headers["set-cookie"]).split("; ").slice(1);
  assert.deepEqual(attributes, ["Path=/sandbox", "Max-Age=43200", "HttpOnly", "SameSite=Strict"]);
  assert.ok(!session.text.includes(cookie) && !String(session.headers["set-cookie"]).includes(file.controlToken));
  for (const [evidence, status] of [
    [{ "Sec-Fetch-Site": "same-origin" }, 200],
    [{ "X-Titian-Console": "1" }, 200],
    [{ Origin: origin }, 200],
    [{}, 401],
  ] as const) {
    const { status: found, headers } = await read(evidence);
    assert.equal(found, status, JSON.stringify(evidence));
    assert.deepEqual([headers["cache-control"], headers["x-content-type-options"]], ["no-store", "nosniff"]);
  }
});

test("a session is of no use to other sites, other ports, other names, nor when it was changed", async () => {
  const evidence = { "X-Titian-Console": "1" };
  const attacks: readonly Headers[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { "Sec-Fetch-Site": "none" },
    { Origin: "https://evil.example", ...evidence },
    { Origin: "null", ...evidence },
    { Origin: `http://127.0.0.1:${Number(port) + 1}`, "Sec-Fetch-Site": "same-site" },
    { Origin: `${origin}.evil.example`, ...evidence },
    { Cookie: "", ...evidence },
    { Cookie: cookie.slice(0, -1), ...evidence },
    { Cookie: cookie.replace(/=\d+/, "=9999999999999"), ...evidence },
    { Cookie: `${cookie.split("=")[0]}=`, ...evidence },
    { Authorization: `Bearer ${cookie.split("=")[1]}`, Cookie: "" },
  ];
  for (const attack of attacks) {
    assert.equal((await read(attack)).status, 401, JSON.stringify(attack));
    const post = await ask("POST", "/sandbox/clock", { Host: host, Cookie: cookie, ...attack }, "{}");
    assert.equal(post.status, 401, JSON.stringify(attack));
  }
  assert.equal((await read({ Authorization: `Bearer ${file.controlToken}`, Cookie: "" })).status, 200);
});

test("no session for other sites and names, forms, or a wrong token", async () => {
  const attacks: readonly (readonly [Headers, number])[] = [
    [{ ...page, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }, 403],
    [{ ...page, Origin: "null" }, 403],
    [{ ...page, "Sec-Fetch-Site": "same-site" }, 403],
    [{ ...page, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }, 400],
    [{ ...page, "Content-Type": "text/plain" }, 403],
    [{ ...json, Host: host }, 403],
    // Through a tunnel of this user, which names the caller.
    [{ ...page, "X-Forwarded-For": "203.0.113.9" }, 401],
  ];
  for (const [headers, status] of attacks) {
    const answer = await openSession(headers);
    assert.equal(answer.status, status, JSON.stringify(headers));
    assert.equal(answer.headers["set-cookie"], undefined);
  }
  const wrong = await openSession(page, JSON.stringify({ controlToken: "x".repeat(43) }));
  assert.deepEqual([wrong.status, JSON.parse(wrong.text).error.code], [401, "wrongToken"]);
  const withToken = await openSession(page, JSON.stringify({ controlToken: file.controlToken }));
  assert.equal((await read({ Cookie: cookieOf(withToken), Origin: origin })).status, 200);
});

test("through a proxy, and under an address that is not this machine's alone, a session needs the token", async () => {
  const env = {
    HOST: "0.0.0.0",
    TITIAN_TRUSTED_PROXIES: "127.0.0.1",
    TITIAN_HOSTS: "other.example,Space-8080.app.example",
  };
  const node = stack.use(await startNode(env));
  const own = new URL(node.baseUrl).port;
  const at = (name: string) => ({ ...page, Host: `${name}:${own}`, Origin: `http://${name}:${own}` });
  const token = JSON.stringify({ controlToken: file.controlToken });
  for (const name of ["127.0.0.1", "192.0.2.7", "space-8080.app.example"]) {
    const without = await openSession(at(name), "{}", own);
    assert.deepEqual([without.status, JSON.parse(without.text).error.code], [401, "tokenRequired"], name);
    assert.equal((await openSession(at(name), token, own)).status, 200, name);
  }
  assert.equal((await openSession(at("evil.example"), token, own)).status, 400);
  const known = await ask("GET", "/sandbox/clock", { ...at("127.0.0.1"), Cookie: cookie }, undefined, own);
  assert.equal(known.status, 200, "a session is one of all nodes of a data directory");
});

const needsRoot = getuid?.() === 0 ? false : "only root can call as another user";
test("another user of this machine gets no session without the token", { skip: needsRoot }, async () => {
  const url = `${file.baseUrl}/sandbox/session`;
  const headers = Object.entries({ ...json, Origin: origin }).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const openAs = async (uid: number, body: object) => {
    const options = { uid, gid: uid };
    const { stdout } = await run(
      "curl",
      ["-sS", "-w", "%{http_code}", url, ...headers, "-d", JSON.stringify(body)],
      options,
    );
    return stdout.slice(-3);
  };
  const nobody = 65_534;
  assert.deepEqual([await openAs(nobody, {}), await openAs(0, {})], ["401", "200"]);
  assert.equal(await openAs(nobody, { controlToken: file.controlToken }), "200");
});

test("a session ends after twelve hours of real time, and survives a restart", () => {
  const real = createClock();
  let now = real.real();
  const clock = { real: () => now };
  const { cookie: opened, expiresAt } = createSessions("token", clock).open();
  const [value] = opened.split(";");
  const isOpen = (token = "token") => createSessions(token, clock).isOpen(`a=b; ${value}; c`);
  assert.deepEqual([isOpen(), isOpen("another token")], [true, false]);
  now = expiresAt - 1;
  assert.ok(isOpen());
  now = expiresAt;
  assert.ok(!isOpen());
});

test("hosts: addresses, loopback names, and those of the settings", () => {
  const isServed = createServedHosts(["bank.test", "API.bank.example"]);
  const served = ["localhost:8080", "LOCALHOST", "[::1]:8080", "127.9.9.9:80", "192.168.1.5:8080", "[fe80::1]:8080"];
  for (const name of [...served, "bank.test:8080", "Bank.Test", "api.bank.example"]) assert.ok(isServed(name), name);
  const others = ["evil.example", "localhost.evil.example", "127.0.0.1@evil.example", "127.0.0.1.evil.example"];
  for (const name of [...others, "x.bank.test", "bank.test.", "bank.test:x", "", undefined]) {
    assert.ok(!isServed(name), String(name));
  }
});

test("the sandbox answers nothing under another host name: no page, no call, no operation", async () => {
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/docs"],
    ["GET", "/health/ready"],
    ["GET", "/sandbox/clock"],
    ["POST", "/utilities/signature-service"],
    ["POST", "/v1.0/transfer-intrabank"],
  ] as const) {
    const evidence = { Cookie: cookie, "Sec-Fetch-Site": "same-origin" };
    const answer = await ask(method, path, { Host: `evil.example:${port}`, ...evidence });
    assert.deepEqual(
      [answer.status, JSON.parse(answer.text)],
      [400, { responseCode: "4000000", responseMessage: "Bad Request [Host not served: TITIAN_HOSTS has the names]" }],
      path,
    );
  }
});

test("the pages: their files and no others, each with its headers", async () => {
  const directory = mkdtempSync(join(tmpdir(), "titian-console-"));
  stack.defer(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Console</title>");
  writeFileSync(join(directory, "assets", "console-ABC.js"), "0;");
  const app = Fastify({ logger: false });
  app.register(createConsoleRoutes({ host: "sandbox", directory }), { prefix: "/" });
  stack.defer(() => app.close());
  const own = new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port;
  const get = (path: string) => ask("GET", path, { Host: `localhost:${own}` }, undefined, own);
  const index = await get("/");
  assert.deepEqual([index.status, index.text.includes("Console")], [200, true]);
  assert.equal(index.headers["cache-control"], "no-cache");
  const script = await get("/assets/console-ABC.js");
  assert.equal(script.headers["cache-control"], "public, max-age=31536000, immutable");
  for (const { headers } of [index, script]) {
    assert.match(
      String(headers["content-security-policy"]),
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    );
    assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe/);
    assert.deepEqual([headers["x-content-type-options"], headers["referrer-policy"]], ["nosniff", "no-referrer"]);
  }
  for (const path of ["/assets/", "/assets/x.js", "/../package.json", "/assets/..%2f..%2fetc%2fpasswd", "/x"]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test("the sandbox serves a page, or how it is built; every other path is unknown", async () => {
  const index = await ask("GET", "/", { Host: host });
  assert.equal(index.status, 200);
  assert.match(index.text, /<!doctype html>|npm run build -w @titian\/console/i);
  for (const [method, path] of [
    ["GET", "/index.php"],
    ["GET", "/assets/none.js"],
    ["POST", "/"],
    ["GET", "/v1.0/none"],
  ] as const) {
    const answer = await ask(method, path, { Host: host });
    assert.deepEqual([answer.status, JSON.parse(answer.text).responseCode], [404, "4040000"], `${method} ${path}`);
  }
});
