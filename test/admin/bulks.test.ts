/** Bulk transfers (20) as operators see and resolve them. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { momentOf } from "../../packages/server/src/basics/clock.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { type BulkItemFilter, listBulkItems } from "../../packages/server/src/views/transfers/bulk-items.ts";
import { countOpenBulks, findBulk, listBulks } from "../../packages/server/src/views/transfers/bulks.ts";
import { findRequestsOfPartner } from "../../packages/server/src/views/transfers/requests-of-partner.ts";
import { findTransfer, listOpenTransfers } from "../../packages/server/src/views/transfers/transfers.ts";
import { fromReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { resolveTransfer, type TransferResolution } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { claimItems } from "../../packages/server/src/store/tables/unsubmitted-items.ts";
import { startNode } from "../support/administration.ts";
import { unknownNumber } from "../support/black-box/answers.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { useDatabase } from "../support/database/database.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const { partnerId, ended, failed, open, waiting, items } = await sendBulks(node);
const queries = { pool: node.reads, clock: node.clock, reference: node.reference };
const numberOf = (item: string) => items.get(item) ?? assert.fail(item);

test("a bulk is found by its bulkId or by an item's number, with its sums, counts and notification", async () => {
  const { acceptedAt, endedAt, payer, postings, notification, ...bulk } =
    (await findBulk(queries, ended)) ?? assert.fail();
  assert.equal(payer?.accountNo, "5001");
  assert.ok(endedAt !== undefined && acceptedAt <= endedAt && notification !== undefined);
  assert.equal(notification.status, "00");
  const [debit, ...others] = postings;
  assert.deepEqual([debit?.kind, debit?.amount, debit?.referenceNo, others], ["submission", 1_010_000n, ended, []]);
  assert.deepEqual(bulk, {
    bulkId: ended,
    partnerId,
    partnerBulkId: "ENDED",
    customerReference: "ENDED",
    payerAccountNo: "5001",
    currency: "IDR",
    amount: 10_000n,
    fee: 1_000_000n,
    itemCount: 4,
    settledCount: 2,
    rejectedCount: 1,
    returnedCount: 1,
    openCount: 0,
    status: "00",
    externalId: "X-ENDED",
    feeType: undefined,
    remark: undefined,
    description: "Settled 2 of 4",
    states: [
      { state: "settled", count: 2, unsubmittedCount: 0, sentAmount: 5_000n, fee: 500_000n },
      { state: "rejected", count: 1, unsubmittedCount: 0, sentAmount: 2_000n, fee: 250_000n },
      { state: "returned", count: 1, unsubmittedCount: 0, sentAmount: 3_000n, fee: 250_000n },
    ],
  });
  const result = (await findTransfer(queries, numberOf("ENDED-2")))?.return?.referenceNo ?? assert.fail();
  for (const number of [numberOf("ENDED-0"), result]) assert.equal((await findBulk(queries, number))?.bulkId, ended);
  assert.equal(await findBulk(queries, unknownNumber), undefined);
  assert.equal(await findBulk(queries, "ENDED"), undefined);
  const ofFailed = (await findBulk(queries, failed)) ?? assert.fail();
  assert.deepEqual([ofFailed.status, ofFailed.notification?.status, ofFailed.feeType], ["06", "06", "BEN"]);
  const ofWaiting = (await findBulk(queries, waiting)) ?? assert.fail();
  assert.deepEqual([ofWaiting.partnerBulkId, ofWaiting.notification, ofWaiting.status], [undefined, undefined, "03"]);
  assert.deepEqual(
    ofWaiting.states.map(({ state, unsubmittedCount }) => [state, unsubmittedCount]),
    [["queued", 2]],
  );
});

test("a bulk is found by its partner's numbers: its own, an item's, the X-EXTERNAL-ID", async () => {
  for (const number of ["ENDED", "ENDED-3", "X-ENDED"]) {
    const found = await findRequestsOfPartner(queries, partnerId, number);
    assert.deepEqual([...new Set(found?.requests.map(({ bulkId }) => bulkId))], [ended], number);
  }
  for (const number of ["REJECTED", "X-REJECTED"]) {
    const found = await findRequestsOfPartner(queries, partnerId, number);
    assert.deepEqual(found?.requests, [], number);
    assert.deepEqual(
      found.rejections.map(({ kind }) => kind),
      ["amountTooSmall"],
      number,
    );
  }
  assert.deepEqual(await findRequestsOfPartner(queries, partnerId, "NONE"), { requests: [], rejections: [] });
  assert.equal(await findRequestsOfPartner(queries, "NOBODY", "ENDED"), undefined);
});

test("bulks are listed newest first, in pages; open ones and those of a partner by themselves", async () => {
  const listed = async (isOpen: boolean, more: { readonly limit?: number; readonly before?: string } = {}) => {
    const pages = [undefined, partnerId].map((id) =>
      listBulks(queries, { filter: { partnerId: id }, isOpen, limit: 5, ...more }),
    );
    const [all, ofPartner] = await Promise.all(pages);
    assert.deepEqual(all, ofPartner);
    return [all?.bulks.map(({ bulkId }) => bulkId), all?.next] as const;
  };
  assert.deepEqual(await listed(false), [[waiting, open, failed, ended], undefined]);
  assert.deepEqual(await listed(true), [[waiting, open], undefined]);
  assert.deepEqual(await listed(false, { limit: 2 }), [[waiting, open], open]);
  assert.deepEqual(await listed(false, { limit: 2, before: open }), [[failed, ended], undefined]);
  assert.deepEqual(await listed(true, { before: waiting }), [[open], undefined]);
  assert.equal(await listBulks(queries, { filter: { partnerId: "NOBODY" }, isOpen: false, limit: 5 }), undefined);
  const { oldestMs, ...counts } = await countOpenBulks(queries);
  assert.deepEqual(counts, { bulks: 2, items: 3 });
  assert.ok(oldestMs >= 90_000);
  assert.equal((await countOpenBulks(queries, 90_000)).bulks, 1, "that from before the clock was moved");
});

test("items are listed by position, in pages, by state", async () => {
  const positions = async (bulkId: string, filter: BulkItemFilter, page: { after?: number; limit?: number } = {}) => {
    const found = await listBulkItems(queries, bulkId, { filter, limit: 5, ...page });
    return [found.items.map(({ position }) => position), found.next] as const;
  };
  assert.deepEqual(await positions(ended, "all"), [[0, 1, 2, 3], undefined]);
  assert.deepEqual(await positions(ended, "unsettled"), [[1, 2], undefined]);
  assert.deepEqual(await positions(ended, "returned"), [[2], undefined]);
  assert.deepEqual(await positions(ended, "all", { limit: 3 }), [[0, 1, 2], 2]);
  assert.deepEqual(await positions(ended, "all", { limit: 3, after: 2 }), [[3], undefined]);
  assert.deepEqual(await positions(open, "unsettled"), [[1, 2], undefined]);
  assert.deepEqual(await positions(waiting, "unsettled"), [[], undefined], "they wait for their turn");
  assert.deepEqual(await positions(waiting, "queued"), [[0, 1], undefined]);
  assert.deepEqual(await positions(unknownNumber, "all"), [[], undefined]);
  const [rejected] = (await listBulkItems(queries, ended, { filter: "rejected", limit: 1 })).items;
  assert.deepEqual(
    [rejected?.partnerReferenceNo, rejected?.amount, rejected?.rejection?.kind, rejected?.referenceNo],
    ["ENDED-1", 2_000n, "unknownBeneficiary", numberOf("ENDED-1")],
  );
});

test("an item names its bulk, and is listed among the pending transfers when it is asked for, or long without a result", async () => {
  const item = (await findTransfer(queries, numberOf("WAITING-1"))) ?? assert.fail();
  assert.deepEqual(item.bulk, { bulkId: waiting, position: 1 });
  assert.deepEqual(
    [item.service, item.partnerReferenceNo, item.externalId, item.nextInquiryAt, item.currentAccountNo],
    [20, "WAITING-1", "X-WAITING", undefined, suspenseNoOf()],
  );
  const requestOf = async (number: string) => {
    const [request] = (await findRequestsOfPartner(queries, partnerId, number))?.requests ?? [];
    return [request?.kind, request?.referenceNo, request?.bulkId];
  };
  assert.deepEqual(await requestOf("WAITING-1"), ["transfer", item.referenceNo, waiting]);
  for (const number of ["ENDED", "X-ENDED"]) assert.deepEqual(await requestOf(number), ["bulk", ended, ended]);
  assert.deepEqual(await listOpenTransfers(queries, { limit: 5 }), []);
  const pending = await listOpenTransfers(queries, { withItems: true, limit: 5 });
  assert.deepEqual(
    pending.map(({ bulk }) => `${bulk?.bulkId} ${bulk?.position}`).toSorted(),
    [`${open} 1`, `${waiting} 0`, `${waiting} 1`].toSorted(),
  );
  await node.database.query("update transfers set inquiry_count = 6 where is_open and next_inquiry_at is not null");
  const [late, ...others] = await listOpenTransfers(queries, { limit: 5 });
  assert.deepEqual([late?.referenceNo, others], [numberOf("OPEN-1"), []]);
});

test("a resolution of an item counts on its bulk, in whichever state the item is, and the last one ends the bulk", async () => {
  const resolve = async (item: string, decision: TransferResolution) => {
    assert.equal(
      (await resolveTransfer(node, numberOf(item), { resolution: decision, withoutInquiry: true }))?.state,
      decision,
      item,
    );
  };
  const countsOf = async (bulkId: string) => {
    const found = (await findBulk(queries, bulkId)) ?? assert.fail();
    const { settledCount, rejectedCount, returnedCount, openCount, notification } = found;
    return [settledCount, rejectedCount, returnedCount, openCount, notification?.status];
  };
  await resolve("WAITING-0", "rejected");
  assert.deepEqual(await countsOf(waiting), [0, 1, 0, 1, undefined]);
  const bulk = fromReferenceNo(waiting) ?? assert.fail();
  const { rows } = await claimItems(node.database, { bulk, now: node.clock.now(), at: momentOf(node.clock), limit: 5 });
  assert.equal(rows[0]?.transfer.state, "submitted");
  await resolve("WAITING-1", "settled");
  assert.deepEqual(await countsOf(waiting), [1, 1, 0, 0, "00"]);
  await resolve("OPEN-1", "rejected");
  assert.deepEqual(await countsOf(open), [1, 2, 0, 0, "00"]);
  await resolve("OPEN-0", "returned");
  assert.deepEqual(await countsOf(open), [0, 2, 1, 0, "00"]);
  await resolve("OPEN-0", "returned");
  assert.deepEqual(await countsOf(open), [0, 2, 1, 0, "00"], "once");
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
