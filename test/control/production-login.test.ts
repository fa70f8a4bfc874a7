// Operators at a production node: the console's login and calls, and the command line in a session of its own.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { productionSettings } from "../support/black-box/production-partner.ts";
import { startService } from "../support/black-box/service.ts";
import { runCli, spawnCli } from "../support/cli/run-cli.ts";
import { openCookieJar } from "../support/cookie-jar.ts";
import { useDatabase } from "../support/database/database.ts";
import { ask, door, dropOperators, emergency } from "../support/database/operators.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { client } from "../support/identity-provider.ts";
import { answer, enterCode, proposed } from "../support/operator-logins.ts";
import { useOperatorsBank } from "../support/operators-console.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const database = stack.use(await useDatabase());
stack.defer(() => dropOperators(database.ownerUrl));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const { provider, bank } = await useOperatorsBank(database.ownerUrl, url);
stack.use(bank);
stack.use(provider);
const dataDir = createDataDir();
stack.defer(() => removeDataDir(dataDir));
stack.use(
  await startService({
    dataDir,
    env: {
      ...productionSettings(roleUrlsOf(bank.url).url),
      TITIAN_MANAGEMENT_PORT: String(port),
      TITIAN_CONSOLE_DATABASE_URL: bank.urlOf(door),
      TITIAN_CONSOLE_URL: url,
      TITIAN_OIDC_ISSUER: provider.issuer,
      TITIAN_OIDC_CLIENT_ID: client.id,
      TITIAN_OIDC_CLIENT_SECRET: client.secret,
      TITIAN_OIDC_SECOND_FACTOR: "amr:otp",
    },
  }),
);
provider.expect({ subject: "Adi", factors: ["otp"] });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return free;
}

test("a browser logs in where metrics are, and approves what another operator has proposed", async () => {
  const jar = openCookieJar();
  assert.equal((await jar.call(`${url}/control/acts`)).status, 401);
  const visit = await jar.visit(`${url}/operators/login`);
  assert.deepEqual([visit.status, visit.url], [200, `${url}/`]);
  const { csrfToken } = (await answer(await jar.call(`${url}/operators/me`))).body;
  const { id, hash } = await proposed(bank);
  const approve = (headers: Readonly<Record<string, string>>) =>
    jar.call(`${url}/control/acts/${id}/approve`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ hash }),
    });
  for (const headers of [{}, { "csrf-token": "of another session" }]) {
    const foreign = await answer(await approve(headers));
    assert.deepEqual([foreign.status, (foreign.body["error"] as { code?: string }).code], [403, "csrfTokenMissing"]);
  }
  const approved = await answer(await approve({ "csrf-token": String(csrfToken) }));
  assert.deepEqual(approved, { status: 200, body: { state: "approved" } });
  const who = await ask(bank.ownerUrl, `select who from act_steps where act_id = '${id}' and step = 'approved'`);
  assert.deepEqual(who, [`${provider.issuer} Adi`]);
});

test("titian login keeps the session for its owner alone, and the commands of an operator are in it until logout", async () => {
  const env = { HOME: dataDir, TITIAN_URL: `${url}/control` };
  const titian = (...words: readonly string[]) => runCli(words, { env });
  const nobody = await titian("act", "list");
  assert.deepEqual([nobody.exitCode, /Nobody has logged in at .*titian login/.test(nobody.stderr)], [2, true]);
  const unset = await runCli(["login"], { env: { HOME: dataDir } });
  assert.match(unset.stderr, /TITIAN_URL is not set/);
  let entered: Promise<unknown> | undefined;
  const begun = await spawnCli(["login"], {
    env,
    onStderr: (text) => {
      const address = /(http\S+user_code=\S+) in a browser/.exec(text)?.[1];
      if (address !== undefined) entered ??= enterCode(address);
    },
  });
  await entered;
  assert.match(begun.stdout, /^Logged in as Adi, until 20\d\d-.*30 minutes without use\.$/m);
  const path = join(dataDir, ".config", "titian", "sessions.json");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const { id } = await proposed(bank);
  const approved = await titian("act", "approve", id, "--yes");
  assert.equal(approved.exitCode, 0, approved.stderr);
  const listed = await titian("session", "list");
  const [mine = ""] =
    /^[0-9a-f-]{36}(?= +Adi +cli +127\.0\.0\.1 .* yes$)/m.exec(listed.stdout) ?? assert.fail(listed.stdout);
  assert.match((await titian("session", "end", mine)).stdout, /^Ended/);
  const ended = await titian("act", "list");
  assert.match(ended.stderr, /The session at .* has ended: .*titian login/);
  assert.equal((await titian("logout")).exitCode, 1);
  assert.doesNotMatch(readFileSync(path, "utf8"), /http/);
});

test("while the identity provider is away, titian break-glass opens a session in which a service is closed", async () => {
  provider.isAway = true;
  const env = { HOME: dataDir, TITIAN_URL: `${url}/control` };
  const titian = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCli(words, { env: { ...env, ...more } });
  const words = ["break-glass", "--as", "Adi", "--reason", "the identity provider is down", "--ticket", "INC-42"];
  const opened = await titian(words, { DATABASE_URL: bank.urlOf(emergency) });
  assert.match(
    opened.stdout,
    /^A session of Adi is open until .*: it proposes, and approves nothing\.$/m,
    opened.stderr,
  );
  const closed = await titian(["switch", "close", "service:17", "--reason", "wrong amounts"]);
  assert.equal(closed.exitCode, 0, closed.stderr);
  const listed = await titian(["act", "list", "--open"]);
  assert.match(listed.stdout, /Open a session of Adi .* without the identity provider/);
  assert.match(listed.stdout, /Close service:17 at once.* break-glass [0-9a-f-]{36}: wrong amounts/);
  const { id } = await proposed(bank);
  const approved = await titian(["act", "approve", id, "--yes"]);
  assert.match(approved.stderr, /a session of break-glass approves and refuses nothing/);
  assert.match((await titian(["logout"])).stdout, /^Logged out/);
});
