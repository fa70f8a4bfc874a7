/**
 * Approved acts while nodes are killed, their sessions cut, and the standby lost and promoted: money comes on accounts and goes back
 * from queued items, once for each act, and nothing that was approved is lost.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { actIdOf, describeFunding } from "../../packages/server/src/admin/accounts/account-acts.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { urlFor } from "../../packages/server/src/store/schema/roles.ts";
import { eventually } from "../support/black-box/answers.ts";
import { bulkBody, bulkPath } from "../support/black-box/bulks.ts";
import { openingBalance } from "../support/black-box/production-partner.ts";
import { issuer, person } from "../support/database/operators.ts";
import { queryRows, runStatements } from "../support/database/with-client.ts";
import type { TortureResult } from "../torture/result.ts";
import { type FailoverCluster, startFailoverCluster } from "./failover-cluster.ts";

/**
 * standby: it is lost, their commits wait for it, the primary ends, and it is promoted without them · node: a node is killed while both
 * carry out · sessions: theirs are ended again and again.
 */
const blows = ["standby", "node", "sessions"] as const;
type Blow = (typeof blows)[number];

export interface ActFailoverOptions {
  readonly rounds: number;
  /** Number of acts of each kind in a round. */
  readonly acts: number;
  onProgress?(text: string): void;
}

const people = ["sri", "adi", "budi"] as const;
const fundedMinor = 100n;
/** A node takes up after 2 s what its proposer did not carry out. */
const takenUpMs = 2_000;

export async function runActFailovers({ rounds, acts, onProgress }: ActFailoverOptions): Promise<TortureResult> {
  await using cluster = await startFailoverCluster();
  const { servers, caller } = cluster;
  await hire(servers.primary.url);
  const [accountNo = ""] = caller.partner.sourceAccounts;
  const faults: string[] = [];
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    const blow = blows[round % blows.length] as Blow;
    const proposals = [...fundings(accountNo, round, acts), ...(await rejections(cluster, accountNo, acts))];
    for (const proposal of proposals) await approved(servers.primary.url, proposal);
    count += proposals.length;
    await strikes[blow](cluster);
    await eventually(async () => (await rowsOf(servers.primary.url, "select from open_acts")).length === 0);
    const found = await faultsOf(servers.primary.url, proposals);
    faults.push(...found.map((fault) => `${blow}: ${fault}`));
    const balance = openingBalance + fundedMinor * BigInt(acts * (round + 1));
    const [is] = await rowsOf(servers.primary.url, `select balance from accounts where account_no = '${accountNo}'`);
    if (is?.["balance"] !== String(balance)) faults.push(`${blow}: the account has ${is?.["balance"]}, not ${balance}`);
    onProgress?.(`round ${round + 1} of ${rounds} (${blow}): ${proposals.length} acts, ${faults.length} faults so far`);
  }
  const { findings } = await runAudit(servers.primary.url);
  faults.push(...findings.map(({ check, subject }) => `audit: ${check} ${subject}`));
  return { faults, summary: `${count} approved acts in ${rounds} rounds, each carried out once` };
}

interface Proposal {
  readonly id: string;
  readonly kind: "funding" | "resolution";
  readonly target: string;
  readonly reference: string;
  readonly after: object;
}

async function hire(ownerUrl: string): Promise<void> {
  await runStatements(ownerUrl, [
    ...people.map((name) => `create role ${name} login password 'secret'`),
    `grant titian_admin to ${people.join(", ")}`,
    `select bootstrap_operators('${person("Sri", "sri")}', '${person("Adi", "adi")}')`,
    `insert into operators values ('${newId()}', '${issuer}', 'Budi', 'Budi', 'budi')`,
    "insert into operator_roles select id, 'operator' from operators where subject = 'Budi'",
  ]);
}

function fundings(accountNo: string, round: number, count: number): readonly Proposal[] {
  return Array.from({ length: count }, (_, index) => {
    const reference = `round-${round}-${index}`;
    const entries = describeFunding(accountNo, "IDR", minor(fundedMinor));
    const after = { amount: String(fundedMinor), currency: "IDR", entries };
    return { id: actIdOf(`funding ${reference}`), kind: "funding", target: accountNo, reference, after };
  });
}

/** Items of a bulk over a rail that no node has: they wait, and an operator rejects each. */
async function rejections({ servers, caller, nodes: [, kept] }: FailoverCluster, accountNo: string, count: number) {
  const answer = await caller.send(await caller.sign(bulkPath, bulkBody(accountNo, count)), kept.service.baseUrl);
  if (answer.code !== "2002000") throw new Error(answer.text);
  const items = await rowsOf(servers.primary.url, "select id, version from transfers where state = 'queued'");
  return items.map(({ id = "", version }): Proposal => {
    const seen = { transfer: id, resolution: "rejected", seen: "queued", seenVersion: Number(version) };
    const after = { ...seen, isAfterInquiry: false };
    return { id: newId(), kind: "resolution", target: toReferenceNo(id), reference: "", after };
  });
}

async function approved(ownerUrl: string, { id, kind, target, reference, after }: Proposal): Promise<void> {
  const as = (name: (typeof people)[number]) => urlFor(ownerUrl, name, "secret");
  await queryRows(
    as("budi"),
    `select propose_act('${id}', '${kind}', '${target}', '${reference}', null, '${JSON.stringify(after)}', 'a drill', null, '1 day')`,
  );
  const hash = `(select hash from act_steps where act_id = '${id}' and step = 'proposed')`;
  await queryRows(as("adi"), `select approve_act('${id}', ${hash})`);
}

const strikes: Readonly<Record<Blow, (cluster: FailoverCluster) => Promise<void>>> = {
  node: async ({ nodes: [doomed] }) => {
    await sleep(takenUpMs + 300 * Math.random());
    doomed.kill();
    await doomed.restart();
  },
  sessions: async ({ servers }) => {
    const text = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'titian acts' and random() < 0.3`;
    for (const end = Date.now() + takenUpMs + 2_000; Date.now() < end; await sleep(30))
      await queryRows(servers.primary.url, text);
  },
  standby: async ({ servers, nodes }) => {
    await servers.standby.stop();
    const waits = "select from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'titian acts'";
    await eventually(async () => (await queryRows(servers.primary.url, waits)).length > 0);
    nodes[0].kill();
    await servers.primary.stop();
    await servers.promote();
    for (const { address } of nodes) {
      address.leadTo(servers.standby.port);
      address.cut();
    }
    await servers.replaceOld();
    await nodes[0].restart();
  },
};

/** Acts that were not carried out, or more than once. */
async function faultsOf(url: string, proposals: readonly Proposal[]): Promise<readonly string[]> {
  const ids = proposals.map(({ id }) => `'${id}'`).join(", ");
  const rows = await rowsOf(
    url,
    `select p.act_id, p.kind, (select string_agg(outcome, ', ') from act_steps where act_id = p.act_id and step = 'carried out') as became
      from act_steps p where step = 'proposed' and act_id in (${ids})`,
  );
  const lost = proposals.length === rows.length ? [] : [`${proposals.length - rows.length} acts are gone`];
  const others = rows.filter(({ became }) => became !== "done");
  return [...lost, ...others.map((row) => `the ${row["kind"]} ${row["act_id"]} became ${row["became"] ?? "nothing"}`)];
}

const rowsOf = (url: string, text: string) =>
  queryRows(url, text) as Promise<readonly Readonly<Record<string, string | undefined>>[]>;
