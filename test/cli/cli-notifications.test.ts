/** `titian notification`, and the address of a partner, on a database with no service running. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { momentOf } from "../../packages/server/src/basics/clock.ts";
import { claimDeliveries, recordAttempts } from "../../packages/server/src/store/tables/notifications/deliveries.ts";
import { keepUnaddressed } from "../../packages/server/src/store/tables/notifications/due-deliveries.ts";
import { masterKeys, startNode } from "../support/administration.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { cellsOf } from "../support/cli/cli-fixture.ts";
import { newPublicKey } from "../support/partners.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
after(() => database.drop());
const node = await startNode(database.url);
after(() => node.close());
const { partnerId, ended, failed } = await sendBulks(node);
const { key: partner } = node.reference.byPartnerId(partnerId) ?? assert.fail();
const statements = node.database;
const url = "https://shop.example/snap/v1.0/transfer-interbank-bulk/notify";

const directory = mkdtempSync(join(tmpdir(), "titian-cli-notifications-"));
after(() => rmSync(directory, { recursive: true }));
const keyFile = join(directory, "public-key.pem");
writeFileSync(keyFile, newPublicKey());

/** The oldest that waits is sent, and fails with a reply. */
async function attempt(reply: string, isLast = false): Promise<void> {
  const now = node.clock.now();
  const { rows } = await claimDeliveries(statements, {
    capacities: [{ partner, isReplay: false, capacity: 1, hasAddress: true }],
    now,
    at: momentOf(node.clock),
    leaseMs: 0,
    besides: [],
  });
  const { id, attempt: number } = rows[0] ?? assert.fail("nothing waits");
  const result = { url, httpStatus: 500, failure: "answered HTTP 500 without a responseCode", reply, durationMs: 12 };
  const nextAt = isLast ? undefined : 0;
  await recordAttempts(statements, [{ ...result, id, attempt: number, at: now, nextAt }]);
}

/** With why each is rejected. */
const forbiddenAddresses: readonly (readonly [string, RegExp])[] = [
  ["http://8.8.8.8/snap", /over https alone/],
  ["https://10.0.0.1/snap", /10\.0\.0\.1 is not a public address.*\(notificationAddress\)/],
  ["https://2130706433/snap", /127\.0\.0\.1 is not a public address/],
  ["https://[::ffff:169.254.169.254]/", /::ffff:a9fe:a9fe is not a public address/],
];

const run = (line: string, input?: string, more: Readonly<Record<string, string>> = {}) => {
  const TITIAN_MASTER_KEY = masterKeys.current.toString("base64");
  const { url: DATABASE_URL, administrationUrl: TITIAN_ADMIN_DATABASE_URL } = database;
  const env = { DATABASE_URL, TITIAN_ADMIN_DATABASE_URL, TITIAN_MASTER_KEY, TITIAN_SANDBOX: "0", ...more };
  return runCli(line.split(" "), { env, ...(input !== undefined && { input }) });
};
const lines = async (line: string): Promise<readonly string[]> => {
  const ran = await run(line);
  assert.equal(ran.exitCode, 0, `${line}: ${ran.stderr}`);
  return cellsOf(ran).map((text) => text.replaceAll(partnerId, "<partner>").replaceAll(/\b\d{32}\b/g, "<external id>"));
};

await attempt("<html>\n\u001b[31mred\u0007</html>");
await attempt("{}", true);
const dead = (await lines("notification list --state dead"))[1]?.startsWith(ended) === true ? ended : failed;
const [kept, status] = dead === ended ? [failed, "00"] : [ended, "06"];
const now = node.clock.now();
await keepUnaddressed(statements, [partner], { now, createdUntil: now });

test("notifications are listed newest first, by state, in pages, also as JSON", async () => {
  const listed = await lines(`notification list --partner ${partnerId}`);
  assert.equal(listed.length, 3);
  assert.equal(
    listed[0],
    "transfer or bulk | partner | service | status | state | result | attempts | next attempt | last failure",
  );
  const failure = "answered HTTP 500 without a responseCode";
  assert.deepEqual(await lines(`notification list --reference ${dead}`), [
    listed[0],
    `${dead} | <partner> | 21 | ${status} | dead | <time> | 2 | ${failure}`,
  ]);
  const page = await run("notification list --limit 1");
  assert.match(page.stderr, /More: titian notification list --after \w{26}\n$/);
  const [more = ""] = /--after \w+/.exec(page.stderr) ?? [];
  assert.deepEqual(await lines(`notification list ${more}`), [listed[0], listed[2]]);
  const { notifications, next } = JSON.parse((await run("notification list --state dead --json")).stdout);
  assert.deepEqual(
    [notifications.length, notifications[0].attempts.length, notifications[0].nextAttemptAt, next],
    [1, 2, null, null],
  );
  assert.equal(notifications[0].attempts[0].explanation.sentenceId, "attempt.failedThere");
});

test("a notification is shown with its attempts; what its receiver wrote cannot steer the terminal", async () => {
  assert.deepEqual(await lines(`notification show ${dead}`), [
    `Notification 21 with status ${status}`,
    "",
    `bulk | ${dead}`,
    "partner | <partner>",
    "X-EXTERNAL-ID | <external id>",
    "result | <time>",
    "state | dead: given up after its last attempt; titian notification replay sends it again",
    `last sent to | ${url}`,
    "attempts | 2",
    "last failure | The receiver failed. Its log has the reason.",
    "",
    "attempt | time | HTTP | code | ms | result | reply",
    "1 | <time> | 500 | 12 | answered HTTP 500 without a responseCode | <html> [31mred </html>",
    "2 | <time> | 500 | 12 | answered HTTP 500 without a responseCode | {}",
  ]);
  const shown = await lines(`notification show ${kept}`);
  assert.equal(shown[6], "state | kept: the partner had no address; titian notification replay sends it");
  assert.equal(shown.length, 8);
});

test("a replay is confirmed with its count, takes the place of one that waits, and says why nothing is sent", async () => {
  const unconfirmed = await run("notification replay --dead", "no\n");
  assert.equal(unconfirmed.exitCode, 1);
  assert.match(unconfirmed.stderr, /Notifications: 1\. Send them again\? \[y\/N\] Nothing is sent again/);
  const forbidden = await run(`notification replay --reference ${kept} --url https://127.1/base --yes`);
  assert.equal(forbidden.exitCode, 1);
  assert.match(forbidden.stderr, /sent to --url: 127\.0\.0\.1 is not a public address/);
  const elsewhere = await run(`notification replay --reference ${kept} --url https://8.8.4.4/base`, "y\n");
  assert.equal(elsewhere.exitCode, 0, elsewhere.stderr);
  assert.match(elsewhere.stderr, /Notifications: 1\. Send them again to https:\/\/8\.8\.4\.4\/base\?/);
  assert.match(elsewhere.stdout, /^Notifications that the running nodes send again: 1\./);
  const day = "notification replay --from 2020-01-01T00:00:00+07:00 --to";
  const none = await run(`${day} 2020-01-02T00:00:00+07:00 --yes`);
  assert.equal(none.stdout, "Nothing is sent again. There is no such notification.\n");
  const rest = await run(`${day} 2100-01-01T00:00:00+07:00 --partner ${partnerId} --yes`);
  assert.match(rest.stdout, /send again: 2\./);
  const { rows } = await statements.query("select replay_url from outbox where replay_url is not null");
  assert.equal(rows.length, 0, "the replay to another address was not replaced");
  assert.equal((await run("notification replay --dead")).stdout, "Nothing is sent again. None is dead.\n");
  assert.equal((await lines("notification list --state waiting")).length, 3);
});

test("a partner's address is set, validated and removed", async () => {
  const address = async () => {
    await node.refresh();
    return node.reference.endpoints().get(partner);
  };
  const change = `partner change ${partnerId}`;
  await lines(`${change} --notification-address https://8.8.8.8/snap?tenant=7 --notification-signing symmetric`);
  const { address: set, signing, signedPath } = (await address()) ?? assert.fail();
  assert.deepEqual([set, signing, signedPath], ["https://8.8.8.8/snap?tenant=7", "symmetric", "whole"]);
  await lines(`${change} --notification-signed-path service`);
  assert.deepEqual([(await address())?.signedPath, (await address())?.signing], ["service", "symmetric"]);
  await lines(`${change} --notification-signed-path whole`);
  assert.equal((await address())?.signedPath, "whole");
  const invalid = await run(`${change} --notification-address ftp://shop.example`);
  assert.equal(invalid.exitCode, 2);
  assert.match(invalid.stderr, /notification address is an http or https URL/);
  for (const [forbidden, reason] of forbiddenAddresses) {
    const { exitCode, stderr } = await run(`${change} --notification-address ${forbidden}`);
    assert.equal(exitCode, 2, forbidden);
    assert.match(stderr, reason);
  }
  const own = `${change} --notification-network private:10.0.0.0/24`;
  await lines(`${own} --notification-network private:192.168.7.1 --notification-address https://10.0.0.1/snap`);
  const replay = `notification replay --dead --partner ${partnerId} --url`;
  assert.match((await run(`${replay} https://10.0.1.1/snap --yes`)).stderr, /10\.0\.1\.1 is not a public address/);
  assert.doesNotMatch((await run(`${replay} https://192.168.7.1/snap`, "no\n")).stderr, /is not a public address/);
  assert.match((await run(`${change} --notification-network none`)).stderr, /10\.0\.0\.1 is not a public address/);
  assert.match((await run(`${change} --client-certificate ${keyFile}`)).stderr, /is no certificate in PEM/);
  const wide = await run(`${change} --notification-network private:0.0.0.0/0`);
  assert.match(wide.stderr, /of \/16 or smaller .*never loopback.*\(notificationNetworks\)/);
  await lines(`${change} --notification-network none --notification-address https://8.8.8.8/snap?tenant=7`);
  const added = await run(
    `partner add NEW --name New --public-key ${keyFile} --notification-address https://[::1]/snap`,
  );
  assert.match(added.stderr, /::1 is not a public address/);
  assert.equal((await address())?.address, "https://8.8.8.8/snap?tenant=7");
  await lines(`${change} --notification-address none`);
  assert.equal((await address())?.address, undefined);
});

test("a test notification: in production to public addresses alone, with the provider's key", async () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const TITIAN_PROVIDER_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const line = `partner notify ${partnerId} --test --url https://127.0.0.1:1/snap`;
  const { exitCode, stdout } = await run(line, undefined, { TITIAN_PROVIDER_KEY });
  assert.equal(exitCode, 1);
  assert.match(stdout, /ForbiddenAddress: 127\.0\.0\.1 is not a public address\n\nOutside the sandbox/);
  assert.deepEqual((await lines(`notification show ${dead}`)).slice(-6), [
    "Last test of the receiver",
    "",
    "time | <time>",
    "notification | 76",
    "sent to | https://127.0.0.1:1/snap/v1.0/transfer-rtgs/notify",
    "result | ForbiddenAddress: 127.0.0.1 is not a public address",
  ]);
  // The environment of the database counts, whatever the setting says.
  const pretending = await run(line, undefined, { TITIAN_PROVIDER_KEY, TITIAN_SANDBOX: "1" });
  assert.match(pretending.stdout, /ForbiddenAddress/);
  const keyless = await run(line);
  assert.equal(keyless.exitCode, 2);
  assert.match(keyless.stderr, /TITIAN_PROVIDER_KEY is not set/);
});

const wrong: readonly (readonly [string, number, RegExp])[] = [
  ["show 01JD7K3M9QZ8V2X4B6N8P0R2T4", 1, /no notification of 01JD7K.*bulkId/],
  ["list --partner nobody", 1, /no partner nobody: titian partner list/],
  ["list --reference 7", 2, /--reference 7 is not a number that Titian assigned/],
  ["list --limit 101", 2, /--limit 101 is not a number from 1 to 100/],
  ["list --state lost", 2, /Allowed choices are waiting, delivered, dead, kept/],
  ["replay --yes", 2, /Say which: --reference, --from, --to or --dead/],
  ["replay --from yesterday --yes", 2, /--from yesterday is not a time such as/],
  ["replay --dead --url https://a.example --yes", 2, /--url needs --partner or --reference/],
  ["replay --dead --partner A --url mailto:a@b --yes", 2, /--url mailto:a@b is not an http or https URL/],
];
for (const [line, expected, message] of wrong) {
  test(`titian notification ${line}: is rejected with the reason`, async () => {
    const { exitCode, stderr, stdout } = await run(`notification ${line}`);
    assert.equal(exitCode, expected, stderr);
    assert.match(stderr, message);
    assert.equal(stdout, "");
  });
}
