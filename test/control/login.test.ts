// Logins of operators at a real identity provider: of a browser, and of the command line by a code.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { explainFault } from "../../packages/control/src/operators/issuer-faults.ts";
import { openCookieJar, type Visit } from "../support/cookie-jar.ts";
import { useDatabase } from "../support/database/database.ts";
import { ask, dropOperators } from "../support/database/operators.ts";
import { runStatements } from "../support/database/with-client.ts";
import { type Answer, answer, enterCode, proposed } from "../support/operator-logins.ts";
import { startOperatorsConsole } from "../support/operators-console.ts";

const database = await useDatabase();
const running = await startOperatorsConsole(database.ownerUrl);
const { url, provider, bank, events } = running;
after(async () => {
  await running[Symbol.asyncDispose]();
  await dropOperators(database.ownerUrl);
  await database.drop();
});

const isHome = (address: string) => address === `${url}/`;
const session = "__Host-titian";

/** Logs in with a browser of its own. */
async function logIn(subject: string, ...factors: readonly string[]) {
  provider.expect({ subject, factors });
  const jar = openCookieJar();
  const visit = await jar.visit(`${url}/operators/login`, isHome);
  const me = async () => (await (await jar.call(`${url}/operators/me`)).json()) as Readonly<Record<string, unknown>>;
  /** An acting call as our page makes it. */
  const act = async (path: string, body: object = {}, headers?: Readonly<Record<string, string>>) => {
    const token = { "csrf-token": String((await me())["csrfToken"]), "content-type": "application/json" };
    return answer(
      await jar.call(`${url}${path}`, { method: "POST", body: JSON.stringify(body), headers: headers ?? token }),
    );
  };
  return { jar, visit, me, act };
}

const post = async (
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  at = url,
): Promise<Answer> =>
  answer(
    await fetch(`${at}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    }),
  );

const isText = ({ status, text }: Visit, wanted: number, pattern: RegExp) => {
  assert.equal(status, wanted, text);
  assert.match(text, pattern);
};

test("a browser logs in by code and comes back with a session, which its page acts by and ends", async () => {
  const { jar, visit, me, act } = await logIn("Adi", "pwd", "otp");
  assert.deepEqual([visit.status, visit.url], [302, `${url}/`]);
  assert.match(jar.cookies.get(session) ?? "", /^[\w-]{43}$/);
  for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Strict"])
    assert.ok(jar.attributes.get(session)?.includes(part), part);
  assert.match(jar.attributes.get(`${session}-csrf`) ?? "", /^$/);
  assert.equal(jar.cookies.get(`${session}-login`), undefined);
  const { name, roles, issuer, subject, hasSecondFactor, acts } = await me();
  const who = { name: "Adi", roles: ["approver"], issuer: provider.issuer, subject: "Adi", hasSecondFactor: true };
  assert.deepEqual({ name, roles, issuer, subject, hasSecondFactor }, who);
  const some = ["POST /acts/{actId}/approve", "POST /switches/{name}/close", "POST /switches/{name}/reopen"];
  assert.deepEqual(
    some.filter((route) => (acts as readonly string[]).includes(route)),
    some.slice(0, 2),
  );
  const { id, hash } = await proposed(bank);
  const approve = `/control/acts/${id}/approve`;
  const json = { "content-type": "application/json" };
  // A page of another site has the browser send the cookie, and no token; nor is one of another session good.
  const budi = await logIn("Budi", "otp");
  const foreign = { ...json, "csrf-token": String((await budi.me())["csrfToken"]) };
  for (const headers of [json, foreign]) assert.equal((await act(approve, { hash }, headers)).status, 403);
  assert.deepEqual(await act(approve, { hash }), { status: 200, body: { state: "approved" } });
  const secret = jar.cookies.get(session) ?? "";
  const { ended, address: leave } = (await act("/operators/logout")).body;
  assert.equal(ended, true);
  assert.equal(jar.cookies.get(session), undefined);
  // The identity provider ends its own session, and sends the browser back.
  assert.ok(String(leave).startsWith(`${provider.issuer}/session/end?`), String(leave));
  assert.equal((await jar.submit(await jar.visit(String(leave)))).url, `${url}/`);
  const late = await fetch(`${url}/operators/me`, { headers: { authorization: `Bearer ${secret}` } });
  assert.equal(late.status, 401);
  const noted = events.filter(({ identity }) => identity === `${provider.issuer} Adi`);
  assert.deepEqual(
    noted.map(({ event, address }) => [event, address]),
    [
      ["session.opened", "127.0.0.1"],
      ["session.ended", "127.0.0.1"],
    ],
  );
});

test("money is approved with a second factor, by another one than has proposed it, in a session that is open", async () => {
  const { id, hash } = await proposed(bank);
  const approve = `/control/acts/${id}/approve`;
  const weak = await logIn("Adi", "pwd");
  const { status, body } = await weak.act(approve, { hash });
  assert.deepEqual([status, body.error?.code], [403, "notPermitted"]);
  assert.match(body.error?.message ?? "", /funding is approved with a second factor: log in with one/);
  const own = await logIn("Budi", "hwk");
  assert.match(
    (await own.act(approve, { hash })).body.error?.message ?? "",
    /whoever proposes an act does not approve it/,
  );
  // The role security ends anybody's session, others their own.
  const [sri, adi] = [await logIn("Sri", "otp"), await logIn("Adi", "otp")];
  const adis = String((await adi.me())["sessionId"]);
  assert.equal((await own.act(`/operators/sessions/${adis}/end`)).status, 403);
  assert.equal((await own.act("/operators/sessions/none/end")).status, 404);
  const { sessions } = (await (await sri.jar.call(`${url}/operators/sessions`)).json()) as {
    readonly sessions: readonly { readonly sessionId: string }[];
  };
  assert.ok(sessions.some(({ sessionId }) => sessionId === adis));
  const budis = (await (await own.jar.call(`${url}/operators/sessions`)).json()) as {
    readonly sessions: readonly { readonly subject: string }[];
  };
  assert.deepEqual([...new Set(budis.sessions.map(({ subject }) => subject))], ["Budi"]);
  assert.deepEqual((await sri.act(`/operators/sessions/${adis}/end`)).body, { ended: true });
  assert.equal((await adi.act(approve, { hash })).status, 401);
  assert.deepEqual(await ask(bank.ownerUrl, `select act_state('${id}')`), ["proposed"]);
});

test("the command line logs in by a code that its operator enters, without a secret of the client", async () => {
  const begun = (await post("/operators/device", {})).body as {
    readonly deviceId: string;
    readonly userCode: string;
    readonly addressWithCode: string;
  };
  const { deviceId } = begun;
  assert.match(begun.userCode, /^[A-Z]{4}-[A-Z]{4}$/);
  assert.equal((await post("/operators/device/end", { deviceId })).body["state"], "pending");
  provider.expect({ subject: "Adi", factors: ["otp"] });
  await enterCode(begun.addressWithCode);
  const { body } = await post("/operators/device/end", { deviceId });
  assert.deepEqual([body["state"], body["name"]], ["opened", "Adi"]);
  const bearer = { authorization: `Bearer ${String(body["secret"])}` };
  const { id, hash } = await proposed(bank);
  assert.deepEqual((await post(`/control/acts/${id}/approve`, { hash }, bearer)).body, { state: "approved" });
  // The code is good once.
  assert.equal((await post("/operators/device/end", { deviceId })).body.error?.code, "loginExpired");
  assert.equal((await post("/operators/device/end", { deviceId: `${deviceId}x` })).status, 400);
});

test("nobody comes in who is no operator, and reads why", async () => {
  const { visit, jar } = await logIn("Eve");
  isText(
    visit,
    403,
    new RegExp(`${provider.issuer} knows you as Eve, which is no operator here.*titian operators list`),
  );
  assert.equal(jar.cookies.get(session), undefined);
  await runStatements(bank.ownerUrl, [
    `insert into operators values ('${newId()}', '${provider.issuer}', 'Old', 'Old', null, now())`,
  ]);
  isText((await logIn("Old")).visit, 403, /which is an operator here no more/);
  const denied = events
    .filter(({ event }) => event === "session.denied")
    .map(({ reason, identity }) => [reason, identity]);
  assert.deepEqual(denied.slice(-2), [
    ["unknown_operator", `${provider.issuer} Eve`],
    ["ended_operator", `${provider.issuer} Old`],
  ]);
});

test("an answer to another login, a late one and a denied one open nothing", async () => {
  provider.expect({ subject: "Adi", factors: ["otp"] });
  const isAnswer = (address: string) => address.startsWith(`${url}/operators/callback`);
  const [one, another] = [openCookieJar(), openCookieJar()];
  const [mine, theirs] = [
    await one.visit(`${url}/operators/login`, isAnswer),
    await another.visit(`${url}/operators/login`, isAnswer),
  ];
  isText(await one.visit(theirs.url), 400, /The answer is not to this login/);
  // The failed one has taken its cookie.
  isText(await one.visit(mine.url), 400, /The login took longer than 10 minutes, or began in another browser/);
  running.moveClock(601_000);
  isText(await another.visit(theirs.url), 400, /took longer than 10 minutes/);
  running.moveClock(0);
  const third = openCookieJar();
  const answered = await third.visit(`${url}/operators/login`, isAnswer);
  const state = new URL(answered.url).searchParams.get("state") ?? "";
  const denial = new URLSearchParams({ error: "access_denied", state, iss: provider.issuer });
  isText(await third.visit(`${url}/operators/callback?${denial}`), 403, /rejected the login: access_denied/);
});

test("a node goes on without its identity provider and asks it again, and a fault of the settings is named", async () => {
  for (const [settings, pattern] of [
    [{ issuer: "http://127.0.0.1:1" }, /The identity provider http:\/\/127\.0\.0\.1:1 does not answer as it should/],
    [
      { issuer: provider.issuer.replace("127.0.0.1", "localhost") },
      /set TITIAN_OIDC_ISSUER to its issuer, letter by letter/,
    ],
  ] as const) {
    await using broken = await startOperatorsConsole(database.ownerUrl, settings);
    const { status, text } = await openCookieJar().visit(`${broken.url}/operators/login`);
    assert.ok(status >= 502, text);
    assert.match(text, pattern);
    assert.match(broken.lines.join(), /operators\.login_failed/);
  }
  await using late = await startOperatorsConsole(database.ownerUrl);
  late.provider.isAway = true;
  assert.equal((await openCookieJar().visit(`${late.url}/operators/login`)).status, 503);
  late.provider.isAway = false;
  const { url: gone } = await openCookieJar().visit(`${late.url}/operators/login`, () => true);
  assert.ok(gone.startsWith(`${late.provider.issuer}/auth?`), gone);
  late.provider.isSilent = true;
  let busy = 0;
  const areBusy = Promise.withResolvers<void>();
  const asked = Array.from({ length: 8 }, async () => {
    const { body: answered } = await post("/operators/device", {}, {}, late.url);
    if (answered.error?.code === "busy") busy += 1;
    if (busy === 3) areBusy.resolve();
  });
  await areBusy.promise;
  late.provider.isSilent = false;
  await Promise.all(asked);
  assert.equal(busy, 3);
  await using wrong = await startOperatorsConsole(database.ownerUrl, { clientSecret: "another one" });
  const { status, body } = await answer(await fetch(`${wrong.url}/operators/device`, { method: "POST" }));
  assert.deepEqual([status, body.error?.code], [502, "clientRejected"]);
  const skewed = explainFault(
    Object.assign(new Error("iat"), { code: "OAUTH_JWT_TIMESTAMP_CHECK_FAILED" }),
    "https://i",
  );
  assert.match(skewed.message, /compare the clocks of this node and of the identity provider/);
});
