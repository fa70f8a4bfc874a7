/** A sealed client secret that does not open: its partner alone is rejected, and an operator mends it while calls are served. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { request } from "undici";
import { eventually } from "../support/black-box/answers.ts";
import { type Caller, createCaller, newNumber } from "../support/black-box/caller.ts";
import { createDataDir, removeDataDir } from "../support/black-box/data-dir.ts";
import { endProcesses } from "../support/black-box/processes.ts";
import { addPartner, productionSettings } from "../support/black-box/production-partner.ts";
import { startService } from "../support/black-box/service.ts";
import { createAgent } from "../support/black-box/start-sandbox.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const database = stack.use(await useDatabase());
const dataDir = createDataDir();
stack.defer(async () => {
  await endProcesses(dataDir, 15_000);
  removeDataDir(dataDir);
});
const [damaged, healthy] = [await addPartner(database.url), await addPartner(database.url)];
const env = productionSettings(database.url);

/** The sealed secret of a partner, changed. */
const damage = (partnerId: string, change: (sealed: string) => string) =>
  withClient(database.ownerUrl, async (client) => {
    const found = await client.query<{ id: string; value: string }>(
      `select c.id, c.value from partner_credentials c join partners p on p.id = c.partner
       where p.partner_id = $1 and c.kind = 'secret'`,
      [partnerId],
    );
    const [{ id, value } = assert.fail()] = found.rows;
    await client.query("update partner_credentials set value = $2 where id = $1", [id, change(value)]);
  });

const truncated = (sealed: string) => sealed.slice(0, 40);

test("a node whose partners' secrets all do not open does not start, and says which setting it is", async () => {
  const TITIAN_MASTER_KEY = randomBytes(32).toString("base64");
  await assert.rejects(startService({ dataDir, env: { ...env, TITIAN_MASTER_KEY } }), (error: Error) => {
    assert.match(error.message, /None of the 2 sealed client secrets opens with TITIAN_MASTER_KEY/);
    assert.match(error.message, /TITIAN_MASTER_KEY_PREVIOUS/);
    return true;
  });
});

test("one damaged secret: nodes start, its partner gets 503xx00 and is named, others are served, and it is mended", async () => {
  await damage(damaged.partnerId, truncated);
  const service = stack.use(await startService({ dataDir, env }));
  const managementUrl = /^ +Health +(http:\/\/[^/\s]+)/m.exec(service.output())?.[1] ?? "";
  const served = {
    baseUrl: service.baseUrl,
    managementUrl,
    pathPrefix: "",
    version: "v1.0",
    partners: [damaged, healthy],
  };
  const agent = createAgent();
  stack.defer(() => agent.destroy());
  const callers = [damaged, healthy].map(({ partnerId }) => createCaller(served, partnerId, agent));
  const [rejected, other] = callers as [Caller, Caller];
  const gauge = async () => {
    const text = await (await request(`${managementUrl}/metrics`)).body.text();
    return [...text.matchAll(/^titian_partner_secrets_unreadable\{partner="(.+)"\} (\d+)$/gm)].map(([, ...one]) => one);
  };
  const [from = "", to = ""] = damaged.sourceAccounts;
  const externalId = newNumber();
  const transfer = {
    partnerReferenceNo: newNumber(),
    amount: { value: "1000.00", currency: "IDR" },
    beneficiaryAccountNo: to,
    sourceAccountNo: from,
    transactionDate: "2026-11-25T10:00:00+07:00",
  };
  const answer = await rejected.call("transfer-intrabank", transfer, { externalId });
  assert.deepEqual([answer.status, answer.code], [503, "5031700"]);
  assert.equal(answer.headers["retry-after"], "60");
  const inquiry = { beneficiaryAccountNo: healthy.sourceAccounts[0] };
  assert.equal((await other.call("account-inquiry-internal", inquiry)).code, "2001500");
  assert.deepEqual(await gauge(), [[damaged.partnerId, "1"]]);
  const line =
    service
      .output()
      .split("\n")
      .find((text) => text.includes("partner.secret_unreadable")) ?? assert.fail();
  const logged = JSON.parse(line) as { readonly partner: string; readonly level: number };
  assert.deepEqual([logged.partner, logged.level], [damaged.partnerId, 50]);
  assert.ok(!service.output().includes(damaged.clientSecret));

  const directory = mkdtempSync(join(tmpdir(), "titian-secret-"));
  stack.defer(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "client-secret");
  writeFileSync(file, `${damaged.clientSecret}\n`);
  const cliEnv = {
    TITIAN_ADMIN_DATABASE_URL: database.administrationUrl,
    TITIAN_SANDBOX: "0",
  };
  const add = ["partner", "secret", "add", damaged.partnerId, "--file", file, "--overlap", "0s"];
  const ran = await runCli(add, { env: cliEnv });
  assert.equal(ran.exitCode, 0, ran.stderr);
  assert.ok(!(ran.stdout + ran.stderr).includes(damaged.clientSecret));
  await eventually(async () => (await gauge()).length === 0);
  // The very call that was rejected: nothing of it was taken.
  const again = await rejected.call("transfer-intrabank", transfer, { externalId });
  assert.equal(again.code, "2001700");
});

test("nothing is sealed for a master key that the nodes do not have", async () => {
  const reseal = {
    DATABASE_URL: database.ownerUrl,
    TITIAN_SANDBOX: "0",
    TITIAN_MASTER_KEY: randomBytes(32).toString("base64"),
    TITIAN_MASTER_KEY_PREVIOUS: env["TITIAN_MASTER_KEY"] ?? "",
  };
  const counted = await runCli(["secrets", "reseal", "--check", "--json"], { env: reseal });
  const { left } = JSON.parse(counted.stdout) as {
    readonly left: readonly { readonly what: string; readonly count: number }[];
  };
  // Keys of the search are made behind the start.
  const secrets = left.find(({ what }) => what === "client secrets");
  assert.deepEqual([counted.exitCode, secrets?.count], [1, 2]);
  const early = await runCli(["secrets", "reseal"], { env: reseal });
  assert.deepEqual([early.exitCode, /Restart all nodes/.test(early.stderr)], [1, true]);
});
