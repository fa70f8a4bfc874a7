/**
 * A bulk (20) over HTTP on two nodes, one of which is killed outright while it accepts it, then one after the other while
 * they send its items: every item is carried once, has one result, and the sums agree.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { bulkBody, bulkItem, bulkPath, inquireBulk } from "../support/black-box/bulks.ts";
import { type Answer, type Caller, createCaller, type Json, newNumber } from "../support/black-box/caller.ts";
import { createControl, toMinor } from "../support/black-box/control.ts";
import type { Service } from "../support/black-box/service.ts";
import { type Sandbox, startSandbox } from "../support/black-box/start-sandbox.ts";
import { moneyAt } from "../support/black-box/rails/rail-money.ts";
import { queryRows } from "../support/database/with-client.ts";
import type { TortureResult } from "../torture/result.ts";

export interface BulkOptions {
  readonly items: number;
  /** While items are sent, after the one at its acceptance. */
  readonly kills: number;
  /** Numbers in [0, 1). */
  random(): number;
  onProgress?(text: string): void;
}

const opening = "900000000.00";
/** Amount of an item, and its fee; minor units. */
const [amount, fee] = [1_000_000n, 250_000n];
const triesMost = 60;
const endsWithinMs = 600_000;

export async function killBulk(options: BulkOptions): Promise<TortureResult> {
  await using sandbox = await startSandbox();
  const nodes = [sandbox.service, await sandbox.startNode()];
  await using _ = {
    [Symbol.asyncDispose]: async () => void (await Promise.all(nodes.map((node) => node.end("SIGKILL")))),
  };
  const urls = nodes.map(({ baseUrl }) => baseUrl);
  /** Comes back where it was. */
  const restart = async (which: number) => {
    nodes[which] = await sandbox.startNode({ PORT: new URL(urls[which] ?? "").port });
  };
  const kill = (which: number) => (nodes[which] as Service).end("SIGKILL");
  const alpha = createCaller(sandbox.file, "alpha", sandbox.agent);
  const { accountNo: payer } = await sandbox.control.open({ name: "A payer", balance: opening, partnerId: "alpha" });
  const bulk = bodyOf(sandbox, payer, options.items);

  const accepted = await acceptWhileKilled(alpha, bulk.body, urls, () => kill(0), options);
  await restart(0);
  const startedAt = performance.now();
  for (let round = 1; round <= options.kills; round += 1) {
    await untilEnded(sandbox, Math.floor((options.items * round) / (options.kills + 1)));
    const which = round % 2;
    await kill(which);
    options.onProgress?.(`node ${which + 1} killed with ${await countEnded(sandbox)} of ${options.items} items ended`);
    await restart(which);
  }
  // Items that the last one had in hand are due for their inquiry.
  await createControl({ ...sandbox.file, baseUrl: urls[1] ?? "" }, sandbox.agent).advance(11);
  await untilEnded(sandbox, options.items);
  const seconds = (performance.now() - startedAt) / 1_000;
  const faults = await findFaults(sandbox, alpha, { ...bulk, payer, bulkId: accepted.bulkId });
  const rate = Math.round(options.items / seconds);
  return {
    faults,
    summary: `${options.items} items, ${options.kills + 1} kills; ${accepted.how}; ended in ${seconds.toFixed(1)} s, ${rate} items/s`,
  };
}

/** Every twentieth is rejected by the rail. */
function bodyOf({ file }: Sandbox, payer: string, count: number) {
  const rejecting = file.scenarios.find(({ outcome }) => outcome === "rejected")?.beneficiaryAccountNo ?? "";
  const isRejected = (position: number) => position % 20 === 7;
  const items = Array.from({ length: count }, (_, position) =>
    bulkItem(isRejected(position) ? { beneficiaryAccountNo: rejecting } : {}),
  );
  const rejected = items.filter((_, position) => isRejected(position)).length;
  return { body: bulkBody(payer, items), rejected, settled: count - rejected, externalId: newNumber() };
}

/** The first node dies over the call; its caller asks the other with the same external id until it is decided. */
async function acceptWhileKilled(
  alpha: Caller,
  body: Json,
  [first = "", second = ""]: readonly string[],
  kill: () => Promise<unknown>,
  { items, random, onProgress }: BulkOptions,
) {
  const externalId = newNumber();
  const sent = alpha.send(await alpha.sign(bulkPath, body, { externalId }), first).catch(() => undefined);
  const killedAfter = Math.round(random() * (50 + items / 4));
  await sleep(killedAfter);
  await kill();
  const answered = await sent;
  const startedAt = performance.now();
  for (let tries = 1; tries <= triesMost; tries += 1) {
    const askedAt = performance.now();
    const answer = await alpha.send(await alpha.sign(bulkPath, body, { externalId }), second);
    const bulkId = bulkIdOf(answer);
    if (bulkId !== undefined) {
      const by =
        answer.status === 200
          ? `accepted by a repeat in ${Math.round(performance.now() - askedAt)} ms`
          : "accepted by it";
      const before = answered ? `answered ${answered.code}, ` : "";
      const how = `node killed after ${killedAfter} ms of its call: ${before}${by}, known ${Math.round(performance.now() - startedAt)} ms after the kill`;
      onProgress?.(how);
      return { bulkId, how };
    }
    await sleep(100);
  }
  throw new Error("the bulk is not decided");
}

/** Number of the bulk that the response accepted, or says was accepted before. */
function bulkIdOf({ status, body }: Answer): string | undefined {
  if (status === 200) return String(body["bulkId"]);
  if (status === 503 || status === 500) return undefined;
  const { originalResponse } = (body["additionalInfo"] ?? {}) as { readonly originalResponse?: Json };
  if (status !== 409 || originalResponse === undefined)
    throw new Error(`a repeat was answered ${JSON.stringify(body)}`);
  return String(originalResponse["bulkId"]);
}

async function countEnded({ file }: Sandbox): Promise<number> {
  const text = "select coalesce(sum(settled_count + rejected_count), 0)::int as ended from bulks";
  const [row] = (await queryRows(file.databaseUrl, text)) as readonly { readonly ended: number }[];
  return row?.ended ?? 0;
}

async function untilEnded(sandbox: Sandbox, count: number): Promise<void> {
  const until = performance.now() + endsWithinMs;
  while ((await countEnded(sandbox)) < count) {
    if (performance.now() > until) throw new Error(`${await countEnded(sandbox)} items have ended, and no more`);
    await sleep(20);
  }
}

interface Expected {
  readonly body: Json;
  readonly payer: string;
  readonly bulkId: string;
  readonly settled: number;
  readonly rejected: number;
}

async function findFaults(sandbox: Sandbox, alpha: Caller, expected: Expected): Promise<readonly string[]> {
  const { control, file } = sandbox;
  const { payer, bulkId, settled, rejected } = expected;
  const count = settled + rejected;
  const faults: string[] = [];
  const expect = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [found, wanted].map((value) =>
      JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)),
    );
    if (is !== should) faults.push(`${what}: ${is}, not ${should}`);
  };
  const [rows] = await queryRows(
    file.databaseUrl,
    `select (select count(*) from bulks)::int as bulks,
      (select count(distinct bulk_position) from transfers)::int as items,
      (select count(*) from transfers where state = 'settled')::int as settled,
      (select count(*) from transfers where state = 'rejected')::int as rejected,
      (select count(distinct resolution_journal_id) from transfers)::int as journals,
      (select count(*) from simulated_instructions)::int as instructions,
      (select array_agg(service || ' ' || status) from outbox) as notified,
      (select count(*) from accepted_requests where service = 20)::int as records`,
  );
  expect("rows", rows, {
    bulks: 1,
    items: count,
    settled,
    rejected,
    journals: count,
    instructions: count,
    notified: ["21 00"],
    records: count + 1,
  });
  const found = await inquireBulk(alpha, { originalReferenceNo: bulkId });
  const told = found.body["additionalInfo"] as Readonly<Record<string, string>>;
  expect(
    "status",
    [found.body["latestTransactionStatus"], told["settledCount"], told["rejectedCount"]],
    ["00", String(settled), String(rejected)],
  );
  const sent = BigInt(settled);
  expect("money", await moneyAt(control, "interbank", payer), {
    payer: toMinor(opening) - sent * (amount + fee),
    suspense: 0n,
    clearing: sent * amount,
    fee: sent * fee,
  });
  const again = await alpha.call(bulkPath, expected.body);
  expect("repeat", [again.code, bulkIdOf({ ...again, status: 409 })], ["4092001", bulkId]);
  expect("audit", await control.audit(), { ok: true, findings: [] });
  return faults;
}
