/** The console of a production node in a real browser: an operator logs in, finds, unmasks and proposes, another one approves. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { resolve } from "node:path";
import { after, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { urlFor } from "../../packages/server/src/store/schema/roles.ts";
import { startProduction } from "../support/black-box/start-production.ts";
import { agreeTo, openBrowser, type WatchedPage, withoutBrowser } from "../support/browser/browser.ts";
import { checkPage } from "../support/browser/check-page.ts";
import { useDatabase } from "../support/database/database.ts";
import { door, dropOperators, people } from "../support/database/operators.ts";
import { runStatements } from "../support/database/with-client.ts";
import { client, startIdentityProvider } from "../support/identity-provider.ts";

const { ensureConsole }: { ensureConsole(root: string): void } = createRequire(import.meta.url)(
  "../../scripts/install/ensure-console.cjs",
);

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const opened = withoutBrowser === false ? await open() : undefined;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function open() {
  ensureConsole(resolve(import.meta.dirname, "../.."));
  const database = await useDatabase();
  stack.defer(async () => {
    await database.drop();
    await dropOperators(database.ownerUrl.replace(/\/[^/]*$/, "/postgres"));
  });
  const { ownerUrl, url } = database;
  await runStatements(
    ownerUrl,
    [door, people].map((role) => `create role ${role} login password 'secret'`),
  );
  await migrate(ownerUrl, { now: 0, consoleRole: door, operatorRole: people });
  const port = await freePort();
  const consoleUrl = `http://127.0.0.1:${port}`;
  const provider = stack.use(await startIdentityProvider(`${consoleUrl}/operators/callback`));
  const { issuer } = provider;
  const production = stack.use(
    await startProduction(
      {
        TITIAN_MANAGEMENT_PORT: String(port),
        TITIAN_CONSOLE_DATABASE_URL: urlFor(ownerUrl, door, "secret"),
        TITIAN_CONSOLE_URL: consoleUrl,
        TITIAN_OIDC_ISSUER: issuer,
        TITIAN_OIDC_CLIENT_ID: client.id,
        TITIAN_OIDC_CLIENT_SECRET: client.secret,
        TITIAN_OIDC_SECOND_FACTOR: "amr:otp",
      },
      url,
    ),
  );
  const person = (subject: string) => JSON.stringify({ issuer, subject, name: subject });
  const [budi, citra] = [newId(), newId()];
  await runStatements(ownerUrl, [
    `select bootstrap_operators('${person("Sri")}', '${person("Adi")}')`,
    `insert into operators values ('${budi}', '${issuer}', 'Budi', 'Budi')`,
    `insert into operators values ('${citra}', '${issuer}', 'Citra', 'Citra')`,
    `insert into operator_roles values ('${budi}', 'operator'), ('${citra}', 'viewer')`,
  ]);
  const { partnerId, sourceAccounts } = production.caller.partner;
  const [accountNo = ""] = sourceAccounts;
  return { browser: stack.use(await openBrowser()), provider, consoleUrl, accountNo, partnerId };
}

const used = () => opened ?? assert.fail();

async function logIn({ page, open: go }: WatchedPage, subject: string): Promise<void> {
  used().provider.expect({ subject, factors: ["pwd", "otp"] });
  await go("/");
  await page.getByRole("link", { name: /^(Sign in|Masuk)$/ }).click();
  await page.getByRole("banner").getByText(subject).waitFor();
}

const navigation = (page: Page) => page.getByRole("navigation").first();

/** The service has the proposal, and its answer is lost. */
async function proposeUnanswered(watched: WatchedPage, fund: Locator): Promise<void> {
  const { page } = watched;
  watched.expectError(/ERR_FAILED/);
  const lost = Promise.withResolvers<void>();
  await page.route("**/fund", async (route) => {
    await route.fetch();
    await lost.promise;
    await route.abort();
  });
  await fund.getByRole("button", { name: "Propose" }).click();
  // Until then the form is closed by nothing.
  assert.ok(await fund.getByRole("button", { name: "Cancel" }).isDisabled());
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape");
  lost.resolve();
  await fund.getByText(/^The service does not answer/).waitFor();
  await page.unroute("**/fund");
}

test("an operator logs in, finds an account masked, unmasks it with a reason, and proposes; another one approves", {
  skip: withoutBrowser,
}, async () => {
  const { browser, provider, consoleUrl, accountNo } = used();
  await using watched = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  const { page, open: go } = watched;
  // Nobody is signed in at first, and at the end.
  watched.expectError(/401/);
  await go("/");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await checkPage(page, "sign-in");
  await watched.screenshot("production-sign-in");
  await logIn(watched, "Budi");
  for (const absent of ["Clock", "Faults", "Try it", "Calls", "Audit"])
    assert.equal(await navigation(page).getByRole("link", { name: absent, exact: true }).count(), 0, absent);
  await go("/world/clock");
  await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await go("/");
  await page.getByRole("searchbox").fill(accountNo);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: `Account ${accountNo}` }).waitFor();
  await page.getByText("••••", { exact: true }).waitFor();
  await checkPage(page, "a masked account");
  await watched.screenshot("production-masked");
  await page.getByRole("button", { name: "Unmask" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Unmask" }).click();
  await dialog.getByText("Say why.").waitFor();
  await dialog.getByRole("textbox").fill("the holder asks");
  await dialog.getByRole("button", { name: "Unmask" }).click();
  await page.getByText("Payer 0", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Unmask" }).count(), 0);
  await page.getByRole("button", { name: "Fund" }).click();
  const fund = page.getByRole("dialog", { name: `Fund: account ${accountNo} of Payer 0` });
  await fund.getByRole("button", { name: "Propose" }).click();
  for (const said of ["Fill this in.", "Say why."]) await fund.getByText(said).waitFor();
  await fund.getByLabel(/^Amount/).fill("250,00");
  await fund.getByRole("row", { name: /^Available .*,250\.00$/ }).waitFor();
  await fund.getByText(/another operator with the role approver has to approve it/).waitFor();
  await checkPage(page, "a form");
  await watched.screenshot("production-fund");
  await fund.getByLabel(/^Reason/).fill("a gift");
  await proposeUnanswered(watched, fund);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Fund" }).click();
  await fund.getByLabel(/^Amount/).fill("250.00");
  await fund.getByLabel(/^Reason/).fill("a gift, proposed again");
  await fund.getByRole("button", { name: "Propose" }).click();
  await page.getByText("Fund: waits for approval by somebody else.").waitFor();
  await watched.screenshot("production-proposed");
  await page.getByRole("button", { name: "Sign out" }).click();
  // The identity provider ends its own session, too, and sends the browser back.
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  // The identity provider would know the browser.
  await using another = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  another.expectError(/401/);
  await logIn(another, "Adi");
  const queue = another.page.getByRole("region", { name: "Waiting for approval" });
  await queue
    .getByRole("link", { name: /^Put IDR/ })
    .first()
    .waitFor();
  assert.equal(await queue.getByRole("link", { name: /^Put IDR/ }).count(), 1);
  await queue.getByRole("link", { name: /^Put IDR 250.00 on account ••••\d{4} of ••••/ }).click();
  await agreeTo(another.page, "Approve");
  await another.page.getByText("It was carried out.").waitFor();
  for (const one of [watched, another]) one.assertClean();
});

test("an operator closes a rail at once, and reads who has to approve it", {
  skip: withoutBrowser,
}, async () => {
  const { browser, provider, consoleUrl } = used();
  await using watched = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  const { page, open: go } = watched;
  watched.expectError(/401/);
  await logIn(watched, "Budi");
  await go("/world/rails");
  await page.getByRole("button", { name: "Close at once: Rail RTGS" }).click();
  const dialog = page.getByRole("dialog", { name: "Close at once: Rail RTGS" });
  await dialog.getByText(/takes effect at once\. Another operator with the role approver/).waitFor();
  assert.equal(await page.evaluate("document.activeElement.labels[0].textContent"), "Reason");
  await watched.screenshot("production-close-rail");
  await page.keyboard.type("BI announced an outage");
  await page.keyboard.press("Enter");
  await page.getByText(/^Closed by Budi \(http:.*Reason: BI announced an outage$/).waitFor();
  await page.getByText(/^Not approved yet: it stands, and another operator with the role approver/).waitFor();
  await checkPage(page, "a closed rail");
  await watched.screenshot("production-closed-rail");
  await page.getByRole("button", { name: "Reopen: Rail RTGS" }).click();
  const reopening = page.getByRole("dialog", { name: "Reopen: Rail RTGS" });
  await reopening.getByLabel("Reason").fill("the outage is over");
  await reopening.getByRole("button", { name: "Propose" }).click();
  // Somebody else was faster, and it is approved by now.
  const closed = {
    name: "rail:skn",
    closed: { reason: "an outage", closedAt: "2026-11-03T08:00:00+07:00", actId: newId() },
  };
  await page.route(/skn\/close$/, (route) => route.fulfill({ json: closed }));
  await page.getByRole("button", { name: "Close at once: Rail SKN" }).click();
  await page.keyboard.type("an outage");
  await page.keyboard.press("Enter");
  await page.getByText("Close at once: it is so already, and nothing was changed.").waitFor();
  await page.unroute(/skn\/close$/);
  const waiting = page.getByText(/Open rail:rtgs again\. Another operator/);
  await waiting.waitFor();
  watched.assertClean();
});

test("an operator suspends a partner at once, another one refuses it, and a viewer is offered nothing", {
  skip: withoutBrowser,
}, async () => {
  const { browser, provider, consoleUrl, partnerId } = used();
  await using watched = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  const { page, open: go } = watched;
  watched.expectError(/401/);
  await logIn(watched, "Budi");
  await go(`/world/partners/${partnerId}`);
  await page.getByRole("button", { name: "Add a secret" }).click();
  const secret = page.getByRole("dialog", { name: /^Add a secret: / });
  assert.match(await secret.getByLabel("Secret").inputValue(), /^[0-9a-f]{48}$/);
  await secret.getByRole("row", { name: "secret 1 valid 2 valid; the one before ends after: 7 days" }).waitFor();
  await secret.getByLabel("Reason").fill("a yearly rotation");
  await watched.screenshot("production-add-secret");
  await secret.getByRole("button", { name: "Propose" }).click();
  await page.getByText("Add a secret: waits for approval by somebody else.").waitFor();
  await page.getByRole("button", { name: "Change terms" }).click();
  const terms = page.getByRole("dialog", { name: /^Change terms: / });
  await terms.getByLabel("Reason").fill("a test");
  await terms.getByRole("button", { name: "Propose" }).click();
  await terms.getByText("Nothing would change: give something else.").waitFor();
  await terms.getByLabel(/^Calls a second/).fill("20");
  await terms.getByRole("row", { name: /^Calls a second .* 20$/ }).waitFor();
  await checkPage(page, "terms of a partner");
  await watched.screenshot("production-change-terms");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.keyboard.type("keys were stolen");
  await page.keyboard.press("Enter");
  await page.getByText("Suspend: in force now.").waitFor();
  await page.getByText("Suspended", { exact: true }).waitFor();
  await page.getByRole("region", { name: "An act is open on it" }).nth(1).waitFor();
  await watched.screenshot("production-suspended");

  await using refusing = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  refusing.expectError(/401/);
  await logIn(refusing, "Adi");
  await refusing.page.getByRole("link", { name: /^Suspend partner/ }).click();
  await refusing.page.getByRole("button", { name: "Refuse" }).click();
  await refusing.page.getByRole("dialog").getByRole("textbox").fill("the keys are safe");
  await refusing.page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await page.getByText("Suspend: It was refused: what it had changed is taken back.").waitFor();

  await using another = await browser.newPage(consoleUrl, undefined, [provider.issuer]);
  another.expectError(/401/);
  await logIn(another, "Citra");
  for (const hash of ["/world/rails", "/world/operators", "/world/accounts", `/world/partners/${partnerId}`]) {
    await another.open(hash);
    await another.page.getByRole("table").or(another.page.getByText("Intake of all writes")).first().waitFor();
    const forms = another.page.getByRole("button", { name: /^(Close|Reopen|Grant|Add|Open an|Suspend|Resume)/ });
    assert.equal(await forms.count(), 0, hash);
  }
  for (const one of [watched, another]) one.assertClean();
});

for (const look of [
  { width: 1366, theme: "dark", language: "en" },
  { width: 390, theme: "light", language: "id" },
] as const) {
  test(`pages of production at ${look.width} px, ${look.theme}, ${look.language}`, {
    skip: withoutBrowser,
  }, async () => {
    const { browser, provider, consoleUrl, accountNo, partnerId } = used();
    await using watched = await browser.newPage(consoleUrl, look, [provider.issuer]);
    const { page, open: go } = watched;
    watched.expectError(/401/);
    await logIn(watched, "Adi");
    const lists = ["accounts", "holds", "transfers", "payment-requests", "bulks", "notifications", "acts"];
    const others = ["rails", "operators", "partners", `partners/${partnerId}`, `accounts/${accountNo}`];
    for (const hash of ["/", "/world", ...[...lists, ...others].map((name) => `/world/${name}`)]) {
      await go(hash);
      await page.locator("main h1").waitFor();
      await page.locator("main .skeleton").first().waitFor({ state: "hidden" });
      await checkPage(page, hash);
      await watched.screenshot(`production${hash.replaceAll("/", "-")}`);
    }
    watched.assertClean();
  });
}
