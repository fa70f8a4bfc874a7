/** The first step: roles and schema, two nodes, operators by acts, and a login of each. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startIdentityProvider } from "../../../../test/support/identity-provider.ts";
import { runStatements } from "../../../../test/support/database/with-client.ts";
import type { Day, Staff } from "./day.ts";
import { dbaOf, type DebianPostgres, password, startDebianPostgres } from "./debian-postgres.ts";
import { consoleSettings, findPlaces, managementUrl, newMasterKey, newNodeKeys, startNodes } from "./nodes.ts";
import { commandOn, createPeople, done, makePath, type People } from "./people.ts";
import { startRailSide } from "./rail-side.ts";
import { newKeyPair, startShop } from "./shop.ts";

const database = "titian";
const roles = {
  "--application-role": "titian_app",
  "--administration-role": "titian_admin",
  "--console-role": "titian_console",
  "--operator-role": "titian_operator",
} as const;
/** PostgreSQL role of the one who works on the database, by `titian audit`. */
const auditorRole = "agus";

/** `stack` owns what is started. `directory` is the run's own, `passable` one that every account may pass. */
export async function foundProvider(
  stack: AsyncDisposableStack,
  directory: string,
  passable: string,
): Promise<{ readonly day: Day; readonly seen: string }> {
  const postgres = stack.use(await startDebianPostgres(passable));
  await createRoles(postgres);
  const PATH = makePath(directory);
  const command = commandOn(PATH);
  const asOwner = { DATABASE_URL: postgres.urlOf("titian_owner", database) };
  done(await command(asOwner, "migrate", ...Object.entries(roles).flat()));

  const places = await findPlaces();
  const urls = [managementUrl(places[0]), managementUrl(places[1])] as const;
  const provider = stack.use(await startIdentityProvider(`${urls[0]}/operators/callback`));
  const staff = hire(postgres, urls);
  const first = ({ subject, name }: Staff["security"]) => `${provider.issuer},${subject},${name}`;
  const named = ["--security", first(staff.security), "--approver", first(staff.approver)];
  done(await command(asOwner, "operators", "bootstrap", ...named));

  const rail = stack.use(startRailSide(directory));
  const shop = stack.use(await startShop(directory));
  const keys = newNodeKeys(directory, "provider-1", newMasterKey());
  shop.trust([keys.providerPublicKey]);
  const atTheBank = { TITIAN_BANK_CODE: "008", TITIAN_RAILS_FILE: rail.railsFile };
  const settings = {
    ...atTheBank,
    PATH,
    TITIAN_SANDBOX: "0",
    TITIAN_RAIL_DIRECTORY: rail.directory,
    TITIAN_INTERBANK_WAIT_SECONDS: "2",
    TITIAN_SHUTDOWN_DELAY_SECONDS: "0",
    TITIAN_NOTIFICATION_PROXY: shop.proxyUrl,
    TITIAN_NOTIFICATION_PROXY_RESOLVES: "1",
    TITIAN_NOTIFICATION_CA_FILE: shop.certificateFile,
    TITIAN_SECURITY_LOG: join(directory, "security.log"),
    DATABASE_URL: postgres.urlOf("titian_app", database),
    ...consoleSettings(postgres.urlOf("titian_console", database), urls[0], provider),
  };
  const nodes = stack.use(await startNodes(directory, places, settings, keys));
  const people = createPeople(directory, PATH, provider);
  await openSessions(people, staff, provider.issuer);
  const consentChannel = { ...atTheBank, DATABASE_URL: postgres.urlOf("titian_admin", database) };
  const day: Day = {
    directory,
    postgres,
    people,
    staff,
    nodes,
    rail,
    shop,
    keys,
    clientSecret: "",
    shopKeys: await newKeyPair(command, join(directory, "shop-keys-1")),
    deploymentJob: (...words) => {
      const { masterKey, previousMasterKey = masterKey } = day.keys;
      const masterKeys = { TITIAN_MASTER_KEY: masterKey, TITIAN_MASTER_KEY_PREVIOUS: previousMasterKey };
      return command({ ...asOwner, ...masterKeys }, ...words);
    },
    titian: (...words) => command({}, ...words),
    consentChannel: (...words) => command(consentChannel, ...words),
  };
  return {
    day,
    seen: `${postgres.version} by apt, 2 nodes, ${Object.keys(staff).length} operators logged in at ${provider.issuer}`,
  };
}

/** As the DBA does once, from the guide. */
async function createRoles(postgres: DebianPostgres): Promise<void> {
  const logins = ["titian_owner", "titian_app", "titian_admin", "titian_console", auditorRole];
  await runStatements(dbaOf(postgres), [
    ...logins.map((role) => `create role ${role} login password '${password}'`),
    "create role titian_operator nologin",
    `grant titian_operator to ${auditorRole}`,
    `create database ${database} owner titian_owner encoding 'UTF8' template template0`,
  ]);
}

function hire({ urlOf }: DebianPostgres, [first, second]: readonly [string, string]): Staff {
  const person = (subject: string, name: string, nodeUrl: string) => ({ subject, name, nodeUrl });
  return {
    security: person("sri", "Sri Rahayu", first),
    approver: person("adi", "Adi Nugroho", second),
    operator: person("budi", "Budi Santoso", first),
    support: person("citra", "Citra Dewi", second),
    viewer: person("vera", "Vera Kusuma", first),
    auditor: { ...person("agus", "Agus Salim", second), databaseUrl: urlOf(auditorRole, database) },
  };
}

/** Four operators come by acts of the first two; all six log in, and nobody else. */
async function openSessions(people: People, staff: Staff, issuer: string): Promise<void> {
  const { security, approver, operator, auditor } = staff;
  for (const person of [security, approver]) await people.login(person);
  for (const role of ["operator", "support", "viewer", "auditor"] as const) {
    const { subject, name, databaseUrl } = staff[role];
    const who = ["--issuer", issuer, "--subject", subject, "--name", name, "--role", role, "--reason", "starts today"];
    const databaseRole = databaseUrl === undefined ? [] : ["--database-role", new URL(databaseUrl).username];
    await people.byFourEyes(security, approver, "operators", "add", ...who, ...databaseRole);
    assert.match(await people.login(staff[role]), new RegExp(`Logged in as ${name}`));
  }
  const listed = done(await people.titian(staff.viewer, "operators", "list"));
  for (const { name } of [operator, auditor]) assert.ok(listed.includes(name), listed);
}
