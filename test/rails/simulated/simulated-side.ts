/** The other side of a simulated rail: its database, seen from behind the rail. */
import assert from "node:assert/strict";
import { Client } from "pg";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import type { RailName } from "../../../packages/server/src/ledger/rails/terms.ts";
import type { SimulatedMode } from "../../../packages/sandbox/src/rails/modes.ts";
import { listScenarios, type Outcome } from "../../../packages/sandbox/src/rails/scenarios.ts";
import { useDatabase } from "../../support/database/database.ts";
import type { OtherSide } from "../contract/other-side.ts";
import { openSimulated, withClose } from "../contract/open-rail.ts";

export function accountOf(outcome: Outcome): string {
  const scenario = listScenarios().find((one) => one.outcome === outcome);
  return scenario?.beneficiaryAccountNo ?? assert.fail(`there is no scenario ${outcome}`);
}

export async function startSimulatedSide(name: RailName): Promise<OtherSide> {
  const database = await useDatabase();
  const plan = { kind: "simulated", name, url: database.url } as const;
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  // A mode is kept for a quarter of a second of real time, which passes here whenever one was set.
  let passedMs = 0;
  const system = createClock();
  const clock = { ...system, real: () => system.real() + passedMs };
  const { control, close } = openSimulated(database.url, clock);
  const run = (text: string, referenceNo: string) => client.query(text, [referenceNo]);
  const open = async () => {
    const node = openSimulated(database.url, clock);
    return withClose(node.rails[name], node.close);
  };
  const setMode = async (mode: SimulatedMode) => {
    await control.setMode(name, mode);
    passedMs += 1_000;
  };
  return {
    plan,
    open,
    openAll: () => Promise.all([open(), open()]),
    accountOf: (ending) => accountOf(ending === "settled" ? "success" : "beneficiaryInactive"),
    silence: () => setMode("limbo"),
    end: async () => {
      await setMode("normal");
      await control.settle(name);
    },
    bringBack: async (referenceNo) => assert.equal(await control.returnNow(referenceNo), "returned"),
    carried: async (referenceNo) =>
      (await run("select from simulated_instructions where reference_no = $1", referenceNo)).rowCount ?? 0,
    misreport: async (referenceNo) => {
      const spoil = `update simulated_instructions set outcome = 'setled', is_unprocessed = false, final_at = submitted_at
        where reference_no = $1`;
      assert.equal((await run(spoil, referenceNo)).rowCount, 1);
    },
    cut: async () => {
      await setMode("down");
      return () => setMode("normal");
    },
    close: async () => {
      await close();
      await client.end();
      await database.drop();
    },
  };
}
