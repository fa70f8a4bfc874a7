/** Shared by timelines: the parties with their accounts and entries, and the notifications. */
import { findNotifications } from "../../admin/notifications.ts";
import { type AccountSummary, findAccount } from "../accounts/accounts.ts";
import type { QueryDeps } from "../query-deps.ts";
import type { TimelineEvent } from "./timeline-event.ts";

interface Party {
  readonly role: "payer" | "beneficiary" | "merchant";
  readonly accountNo: string;
  readonly name?: string | undefined;
  /** Bank of an account at another bank. */
  readonly bankCode?: string | undefined;
  readonly bankName?: string | undefined;
  /** Account of ours, as of now. */
  readonly account?: AccountSummary | undefined;
}

/** A party whose account is at another bank has no entries. */
export function sideOf(party: Party, events: readonly TimelineEvent[]) {
  const { account, bankCode } = party;
  const entries = bankCode === undefined ? entriesOf(party.accountNo, events) : [];
  return { ...party, account, name: account?.name ?? party.name, entries };
}

/** A party of an account of ours that is known by its number alone. */
export async function findSide(
  deps: QueryDeps,
  { role, accountNo }: Pick<Party, "role" | "accountNo">,
  events: readonly TimelineEvent[],
) {
  return sideOf({ role, accountNo, account: await findAccount(deps, accountNo) }, events);
}

/** Oldest first; amounts in minor units, as are the ledger balances after them. */
function entriesOf(accountNo: string, events: readonly TimelineEvent[]) {
  return events
    .flatMap(({ postings }) => postings)
    .flatMap(({ kind, amount, at, referenceNo, ...posting }) => {
      const entry = { kind, amount, at, referenceNo };
      const debit = { ...entry, direction: "debit" as const, balanceAfter: posting.fromBalanceAfter };
      const credit = { ...entry, direction: "credit" as const, balanceAfter: posting.toBalanceAfter };
      return [
        ...(posting.fromAccountNo === accountNo ? [debit] : []),
        ...(posting.toAccountNo === accountNo ? [credit] : []),
      ];
    });
}

/** Notifications about it (21, 75, 76), each with its newest attempts. */
export async function eventsOfNotifications(
  { pool, clock, reference }: QueryDeps,
  referenceNo: string,
): Promise<readonly TimelineEvent[]> {
  const byPartnerId = (partnerId: string) => reference.byPartnerId(partnerId);
  const { notifications } = await findNotifications({ reads: pool, clock, byPartnerId }, { referenceNo, limit: 20 });
  return notifications.toReversed().flatMap(({ service, status, state, externalId, createdAt, attempts }) => [
    {
      kind: "notification",
      at: createdAt,
      by: "service",
      serviceCode: String(service),
      externalId,
      status,
      state,
      postings: [],
    } as const,
    ...attempts.toReversed().map(
      ({ attempt, at, url, httpStatus, responseCode, reply, failure, durationMs }): TimelineEvent => ({
        kind: "delivery",
        at,
        by: "service",
        serviceCode: String(service),
        attempt,
        url,
        httpStatus,
        responseCode,
        failure,
        reply,
        durationMs,
        postings: [],
      }),
    ),
  ]);
}
