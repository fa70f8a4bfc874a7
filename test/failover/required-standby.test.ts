/** Goal: with TITIAN_SYNCHRONOUS=required nothing is answered that only one server has, also where the standby's name is cleared. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { createReadiness } from "../../packages/server/src/compose/readiness.ts";
import { claimRows } from "../../packages/server/src/store/postgres/claim-rows.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startReplicatedServers } from "../support/database/replicated-servers.ts";
import { migrateForServices } from "../support/database/template.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import { opening, startPlainCore } from "../support/plain-core.ts";

test("a node that requires a synchronous standby answers no write or read, and sends nothing, while commits wait for none", async () => {
  await using servers = await startReplicatedServers();
  const { url: ownerUrl } = servers.primary;
  const { url } = await migrateForServices(ownerUrl);
  await using core = await startPlainCore(url, { environment: "production", env: { TITIAN_SYNCHRONOUS: "required" } });
  const readiness = createReadiness(core, () => false);
  const read = () => core.readShares.run("partner", async () => "read");
  const open = async (currency: string) => (await core.engine.submit(opening(currency, 3_000))).kind;
  const claim = async () => {
    const text =
      "insert into service_state values ('claim', '0') on conflict (name) do update set value = '1' returning name";
    return (await claimRows(core.adminPool, { name: "claim", text }, momentOf(createClock()))).commit !== undefined;
  };
  const setNames = (value: string) =>
    runStatements(ownerUrl, [`alter system set synchronous_standby_names = '${value}'`, "select pg_reload_conf()"]);
  const [{ names }] = (await queryRows(ownerUrl, "select current_setting('synchronous_standby_names') as names")) as [
    { names: string },
  ];
  assert.deepEqual(
    [await open("IDR"), await read(), await claim(), (await readiness()).ready],
    ["effect", "read", true, true],
  );

  await setNames("");
  const answers = [await open("USD"), await open("SGD"), await read().catch(() => "unconfirmed"), await claim()];
  assert.deepEqual([...answers, (await readiness()).ready], ["unknown", "overloaded", "unconfirmed", false, false]);

  await setNames(names);
  await eventually(async () => (await readiness()).ready);
  assert.deepEqual(
    [await open("USD"), await open("SGD"), await read(), await claim()],
    ["repeat", "effect", "read", true],
  );
});
