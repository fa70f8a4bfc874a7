/** Every kind of search, and every list of the views: each is asked as people ask it. A list or filter more is a line here. */
import { findNotifications } from "../../packages/server/src/admin/notifications.ts";
import { idAt, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { StatementPool } from "../../packages/server/src/store/postgres/connect.ts";
import { queryRows } from "../../packages/server/src/store/postgres/query-rows.ts";
import { listAccounts, listEntries } from "../../packages/server/src/views/accounts/accounts.ts";
import {
  listNewestHolds,
  listOpenHoldsOfAccount,
  listOpenHoldsOfMerchant,
} from "../../packages/server/src/views/holds/holds.ts";
import { findTimeline } from "../../packages/server/src/views/money/timeline.ts";
import { listMerchants } from "../../packages/server/src/views/partners/merchants.ts";
import { listOwedPayments } from "../../packages/server/src/views/rails/owed.ts";
import { listRails } from "../../packages/server/src/views/rails/rails.ts";
import { find, type FindDeps } from "../../packages/server/src/views/search/find.ts";
import { listBulkItems } from "../../packages/server/src/views/transfers/bulk-items.ts";
import { countOpenBulks, findBulk, listBulks } from "../../packages/server/src/views/transfers/bulks.ts";
import { listNewestTransfers } from "../../packages/server/src/views/transfers/newest-transfers.ts";
import {
  listNewestPaymentRequests,
  listOpenRequestCounts,
  listPaymentRequests,
} from "../../packages/server/src/views/transfers/payment-requests.ts";
import { findRequestsOfPartner } from "../../packages/server/src/views/transfers/requests-of-partner.ts";
import { listOpenTransfers } from "../../packages/server/src/views/transfers/transfers.ts";
import type { Filled } from "./fill-records.ts";

export interface Subject {
  readonly filled: Filled;
  /** `X-PARTNER-ID`s: that of most records, and that of the fewest. */
  readonly partners: readonly [most: string, fewest: string];
  /** Account that most payments are from. */
  readonly account: string;
  readonly day: string;
  /** Numbers of ours, the newest of each service. */
  readonly numbers: readonly string[];
  /** One with a notification. */
  readonly notified: string;
}

type Ask = (deps: FindDeps, subject: Subject) => Promise<unknown>;

const limit = 100;
/** Within the filled time. */
const before = toReferenceNo(idAt(Date.now() - 90 * 86_400_000));

const searched = (text: string | ((subject: Subject) => string), of?: "most" | "fewest"): Ask => {
  return (deps, subject) => {
    const partnerId = of === undefined ? undefined : subject.partners[of === "most" ? 0 : 1];
    return find(deps, { text: typeof text === "string" ? text : text(subject), partnerId });
  };
};

const notifications = (filter: Parameters<typeof findNotifications>[1]): Ask => {
  return ({ pool, reference, clock }) =>
    findNotifications({ reads: pool, clock, byPartnerId: (id) => reference.byPartnerId(id) }, filter);
};

const lastDays = ({ clock }: FindDeps) => ({ from: clock.now() - 2 * 86_400_000, to: clock.now() });

const states = ["waiting", "delivered", "dead", "kept"] as const;

export const queries: Readonly<Record<string, Ask>> = {
  "find: a number in another case": searched("trx-2026-1234567"),
  "find: an external id": searched("ext2345678"),
  "find: a number of ours": searched(({ numbers }) => numbers[1] ?? ""),
  "find: what nobody has": searched("nobody-has-this"),
  "find: a frequent name": searched("siti"),
  "find: a rare name": searched("marga19000"),
  "find: two names": searched("siti marga7"),
  "find: a customer of ours": searched("nama1 pemilik1"),
  "find: a frequent amount": searched("Rp50.000"),
  "find: a frequent amount on a day": searched(({ day }) => `50000 ${day}`),
  "find: a rare amount": searched("4321098"),
  "find: name, amount, day": searched(({ day }) => `siti 50.000 ${day}`),
  "find: frequent name and amount": searched("siti 50.000"),
  "find: frequent name, rare number": searched("siti trx-2026-1234567"),
  "find: a busy account": searched(({ account }) => account),
  "find: an account elsewhere": searched("880000000"),
  "find: a frequent name of a small partner": searched("siti", "fewest"),
  transfers: (deps) => listNewestTransfers(deps, { limit }),
  "transfers, further back": (deps) => listNewestTransfers(deps, { before, limit }),
  "transfers of a small partner, counted": (deps, { partners: [, partnerId] }) =>
    listNewestTransfers(deps, { limit, isCounted: true, filter: { partnerId } }),
  "transfers of no such state and amount": (deps) =>
    listNewestTransfers(deps, { limit, isCounted: true, filter: { state: "returned", minimum: "999999999999" } }),
  "transfers of two days, oldest first": (deps) =>
    listNewestTransfers(deps, { limit, isOldestFirst: true, isCounted: true, filter: lastDays(deps) }),
  "open transfers": (deps) => listOpenTransfers(deps, { limit }),
  "open transfers, with items": (deps) => listOpenTransfers(deps, { olderThanMs: 1, withItems: true, limit }),
  holds: (deps) => listNewestHolds(deps, { limit }),
  "holds, further back": (deps) => listNewestHolds(deps, { before, limit }),
  "holds of no such amount": (deps) =>
    listNewestHolds(deps, { limit, isCounted: true, filter: { minimum: "999999999999" } }),
  "open holds of an account": (deps, { account }) => listOpenHoldsOfAccount(deps, account, { limit }),
  "open holds of a merchant": (deps, { partners: [partnerId] }) =>
    listOpenHoldsOfMerchant(deps, { partnerId, merchantId: "M1" }, { limit }),
  "payment requests": (deps) => listNewestPaymentRequests(deps, { limit }),
  "payment requests of two days": (deps) =>
    listNewestPaymentRequests(deps, { limit, isCounted: true, filter: lastDays(deps) }),
  "payment requests to an account": (deps, { account }) =>
    listPaymentRequests(deps, account, { isWaiting: false, limit }),
  "waiting payment requests": (deps, { account }) => listPaymentRequests(deps, account, { isWaiting: true, limit }),
  "payers with open requests": (deps) => listOpenRequestCounts(deps, limit),
  bulks: (deps) => listBulks(deps, { isOpen: false, limit }),
  "open bulks": (deps) => listBulks(deps, { isOpen: true, limit }),
  "bulks of a small partner": (deps, { partners: [, partnerId] }) =>
    listBulks(deps, { isOpen: false, limit, filter: { partnerId } }),
  "open bulks of a small partner": (deps, { partners: [, partnerId] }) =>
    listBulks(deps, { isOpen: true, limit, filter: { partnerId } }),
  "count of open bulks": (deps) => countOpenBulks(deps),
  "a bulk of 10,000 items": (deps, { filled }) => findBulk(deps, toReferenceNo(filled.bulk)),
  "its items": (deps, { filled }) => listBulkItems(deps, toReferenceNo(filled.bulk), { filter: "all", limit }),
  "its unsettled items": (deps, { filled }) =>
    listBulkItems(deps, toReferenceNo(filled.bulk), { filter: "unsettled", limit }),
  accounts: (deps) => listAccounts(deps, { limit }),
  "entries of a busy account": (deps, { account }) => listEntries(deps, account, { limit }),
  "accounts with a balance": (deps) => listAccounts(deps, { limit, isCounted: true, filter: { minimum: "1" } }),
  merchants: (deps) => listMerchants(deps, { limit }),
  "owed payments": (deps) => listOwedPayments(deps, { limit }),
  rails: (deps) => listRails(deps),
  "requests by a partner's number": (deps, { partners: [partnerId] }) =>
    findRequestsOfPartner(deps, partnerId, "TRX-2026-1234567"),
  timelines: async (deps, { numbers }) => {
    for (const number of numbers) await findTimeline(deps, number);
  },
  notifications: notifications({}),
  ...Object.fromEntries(states.map((state) => [`notifications, ${state}`, notifications({ state })])),
  ...Object.fromEntries(
    states.map((state): [string, Ask] => [
      `notifications of a small partner, ${state}`,
      (deps, subject) => notifications({ partnerId: subject.partners[1], state })(deps, subject),
    ]),
  ),
  "notifications of a record": (deps, subject) => notifications({ referenceNo: subject.notified })(deps, subject),
};

export interface SubjectSource {
  readonly pool: StatementPool;
  readonly filled: Filled;
}

/** Reads numbers and names that the queries ask for. */
export async function readSubject({ pool, filled }: SubjectSource): Promise<Subject> {
  const all = async (text: string) => (await queryRows(pool, { text })).map(([value]) => value ?? "");
  const one = async (text: string) => (await all(text))[0] ?? "";
  const ids = await all(
    "select distinct on (service) id from accepted_requests where id > id_at(now() - interval '14 days') order by service, id desc",
  );
  const partnerAt = (position: string) =>
    one(`select partner_id from partners join partner_ids using (id) order by position ${position} limit 1`);
  return {
    filled,
    partners: [await partnerAt("asc"), await partnerAt("desc")],
    account: await one("select account_no from payers where position = 0"),
    day: await one(
      "select to_char(accepted_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD') from accepted_requests order by id desc limit 1",
    ),
    numbers: ids.map(toReferenceNo),
    notified: toReferenceNo(await one("select aggregate_id from outbox order by id desc limit 1")),
  };
}
