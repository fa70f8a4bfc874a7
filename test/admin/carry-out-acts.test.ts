/** Goal: approved acts are carried out once each by nodes that run at once, whose sessions are killed again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { actIdOf } from "../../packages/server/src/admin/accounts/account-acts.ts";
import { createCarryOutActs } from "../../packages/server/src/compose/acts/carry-out-acts.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { minor, zero } from "../../packages/server/src/ledger/money.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { queryRows, withClient } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { startPlainCore } from "../support/plain-core.ts";
import { useTwoNodes } from "../support/two-nodes.ts";

const { node } = await useTwoNodes();
const count = 60;

test("acts that two nodes carry out at once, killed on the way, move their money once", async () => {
  const account = { name: "Siti", currency: "IDR", type: "S", balance: minor(10_000n) } as const;
  const { accountNo } = valueOf(await openAccount(node, account));
  const another = valueOf(await openAccount(node, { ...account, balance: zero })).accountNo;
  const orders = [
    ["funding", [accountNo, "funding:IDR"]],
    ["withdrawal", ["funding:IDR", accountNo]],
    ["correction", [another, accountNo]],
  ] as const;
  // As approved, and left by a node that died before it carried them out.
  await withClient(administrationUrlOf(node.url), async (client) => {
    for (let number = 0; number < count; number += 1) {
      const [kind, [to, from]] = orders[number % orders.length] ?? assert.fail();
      const after = {
        amount: "100",
        currency: "IDR",
        entries: [`${to} 100 IDR`, `${from} -100 IDR`].toSorted().join(", "),
      };
      const reference = `r-${number}`;
      await client.query("select propose_act($1, $2, $3, $4, null, $5, 'pay', null, '1 day')", [
        actIdOf(`${kind} ${reference}`),
        kind,
        accountNo,
        reference,
        after,
      ]);
    }
  });
  await sleep(2_100);
  await using one = await startPlainCore(node.url, { environment: "production" });
  await using two = await startPlainCore(node.url, { environment: "production" });
  let isOver = false;
  const kill = async () => {
    while (!isOver) {
      await sleep(40);
      await queryRows(
        node.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'titian acts' and datname = current_database() and random() < 0.3`,
      );
    }
  };
  const killing = kill();
  const open = async () =>
    Number(Object.values((await queryRows(node.url, "select count(*) from open_acts"))[0] ?? {})[0]);
  for (let rounds = 0; rounds < 40 && (await open()) > 0; rounds += 1)
    await Promise.all([one, two].map((core) => createCarryOutActs(core).run(async () => true)));
  isOver = true;
  await killing;
  assert.equal(await open(), 0);
  const balances = await queryRows(
    node.url,
    `select balance from accounts where account_no in ('${accountNo}', '${another}') order by balance desc`,
  );
  assert.deepEqual(balances, [{ balance: "8000" }, { balance: String((count / 3) * 100) }]);
  const states = await queryRows(
    node.url,
    "select outcome, count(*) from act_steps where step = 'carried out' group by outcome",
  );
  // And the opening.
  assert.deepEqual(states, [{ outcome: "done", count: String(count + 2) }]);
  assert.deepEqual(await runAudit(node.url), { ok: true, findings: [] });
});
