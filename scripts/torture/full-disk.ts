/**
 * `npm run torture -- full-disk`: a table's disk (192 MiB in memory) is full while partners pay, until there is space again:
 * what calls, log and `/health/ready` say. Linux, as root, which may mount it. `npm run torture -- full-disk --seconds=5`.
 */
import { chownSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { request } from "undici";
import { newNumber } from "../../test/support/black-box/caller.ts";
import { type Production, startProduction } from "../../test/support/black-box/start-production.ts";
import { transferBody, transferPath } from "../../test/support/black-box/transfers.ts";
import { useOwnCluster } from "../../test/support/database/database.ts";
import { queryRows, runStatements } from "../../test/support/database/with-client.ts";
import { readCount, report } from "./command-line.ts";
import { fill, withSmallDisk } from "./small-disk.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "10" } } });
const seconds = readCount("seconds", values.seconds);
await withSmallDisk("192m", async (disk) => {
  await using cluster = await useOwnCluster();
  const [{ data_directory: data } = { data_directory: "" }] = (await queryRows(
    cluster.ownerUrl,
    "show data_directory",
  )) as { data_directory: string }[];
  const { uid, gid } = statSync(data);
  chownSync(disk, uid, gid);
  await runStatements(cluster.ownerUrl, [
    `create tablespace small location '${disk}'`,
    // Everything that grows, so that no page is left to write to.
    "alter table all in tablespace pg_default set tablespace small",
    "alter index all in tablespace pg_default set tablespace small",
  ]);
  await using production = await startProduction({}, cluster.url);
  report("full disk", await fillWhilePaying(production, disk), "503 while it is full, 200 after it");
});

async function fillWhilePaying(production: Production, disk: string) {
  const statuses = new Map<string, number>();
  const faults: string[] = [];
  const filler = join(disk, "filler");
  fill(filler);
  const from = production.service.output().length;
  const until = performance.now() + seconds * 1_000;
  let notReady = "";
  const pay = async () => {
    while (performance.now() < until) {
      const { code } = await payOnce(production);
      statuses.set(code, (statuses.get(code) ?? 0) + 1);
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      const { statusCode, body } = await request(`${production.served.managementUrl}/health/ready`);
      const text = await body.text();
      if (statusCode === 503) notReady = text;
      await sleep(500);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: 16 }, pay)]);
  const lines = production.service
    .output()
    .slice(from)
    .split("\n")
    .filter((line) => line.startsWith("{"));
  rmSync(filler);
  if ((await payOnce(production)).code !== "2001700") faults.push("it does not pay with space again");
  if ([...statuses.keys()].some((code) => !["2001700", "5031700"].includes(code)))
    faults.push("other answers than 503");
  if (!notReady.includes("53100")) faults.push(`readiness did not name the full disk: ${notReady}`);
  const list = [...statuses].map(([code, count]) => `${count} × ${code}`).join(", ");
  return {
    faults,
    summary: `answers in ${seconds} s: ${list}; ${lines.length} log lines; not ready: ${notReady !== ""}`,
  };
}

async function payOnce({ caller }: Production) {
  const [payer = "", payee = ""] = caller.partner.sourceAccounts;
  return caller.call(transferPath, transferBody({ from: payer, to: payee, value: "1.00" }), {
    externalId: newNumber(),
  });
}
