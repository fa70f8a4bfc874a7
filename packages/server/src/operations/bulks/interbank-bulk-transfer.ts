/**
 * Interbank bulk transfer (20): up to 10,000 items, accepted as a whole or not at all (spec D13). A first command decides it
 * as it stands and records a rejection; only then the items are written, in the transaction that accepts them.
 */
import { operations } from "@titian/contract";
import type { Call, Handler, Reply } from "../../interfaces/call.ts";
import type { Command, Outcome } from "../../engine/command.ts";
import type { NewItems } from "../../engine/rows/bulks.ts";
import { newId, toReferenceNo } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import { decideBulk } from "../../ledger/bulks/accept.ts";
import { bulkRail } from "../../ledger/bulks/bulk.ts";
import { bulkStatus } from "../../ledger/bulks/status.ts";
import { minor } from "../../ledger/money.ts";
import { reject } from "../../ledger/rejection.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { writeMoney } from "../money.ts";
import { whoBears } from "../transfers/rail-transfer.ts";
import { commandOf, keptFields, orderOf, replyTo, tryLater, type WriteDeps, type WriteSpec } from "../write.ts";
import { decidedAs, noRepeat } from "../repeat-only.ts";
import type { BulkPayload, RejectedBulkPayload } from "./bulk-payload.ts";
import { type BulkOrder, encodeBulk } from "./encode-items.ts";
import { replyToUsedNumber } from "./used-number.ts";
import { type ReadBulk, readBulk } from "./read-items.ts";

export interface BulkDeps extends WriteDeps {
  /** Few bulks are read and written at once; partners take turns. */
  readonly bulkShares: PartnerShares;
}

type Spec = WriteSpec<"interbankBulkTransfer", BulkPayload, ReadBulk, RejectedBulkPayload>;

const operation = operations.interbankBulkTransfer;

const spec: Spec = {
  // Without a number of its own it is known by its items, whose numbers no other bulk has.
  keyParts: ({ request: { partnerBulkId }, parsed }) =>
    partnerBulkId === undefined ? ["items", parsed.contentHash] : ["bulk", partnerBulkId],
  fingerprint: ({ request, parsed }) => [request.sourceAccountNo, whoBears(request), parsed.contentHash],
  locks: ({ request, parsed }) => ({
    accountNumbers: [request.sourceAccountNo, internalAccountNo(...suspenseOf(parsed))],
  }),
  decide: (order, found) => {
    const { request, parsed } = order;
    if (parsed.tooFine !== undefined) return reject("currencyMismatch", parsed.tooFine);
    const { items, now, day, rails } = parsed;
    const { id, partner } = order;
    const { feeType, sourceAccountNo } = request;
    const decision = decideBulk(
      { id, partner, feeType, items, now, day, suspensePart: newTransfersPart, suspenseId: newId() },
      found.account(sourceAccountNo),
      found.internalAccount(...suspenseOf(parsed)),
      rails,
    );
    if (decision.kind !== "effect") return decision;
    const [posting] = decision.effect.postings;
    const [bulk] = decision.effect.newBulks;
    if (!posting || !bulk) throw new Error(`bulk ${order.id} moves nothing`);
    const payload: BulkPayload = {
      request: keptFields(request),
      itemCount: bulk.itemCount,
      amount: writeMoney({ amount: posting.amount, currency: bulk.currency }),
      from: sourceAccountNo,
      to: internalAccountNo("suspense", bulk.currency, bulkRail, newTransfersPart),
    };
    return { kind: "effect", effect: { ...decision.effect, payload } };
  },
  response: ({ request: { partnerBulkId } }, { id }) => ({ bulkId: toReferenceNo(id), partnerBulkId }),
  rejectionPayload: ({ parsed }) => ({ itemCount: parsed.items.length, total: totalOf(parsed) }),
  latestStatus: async ({ id }, { reads }) => {
    const bulk = await reads.findBulk(id);
    if (!bulk) throw new Error(`the bulk of accepted request ${id} is missing`);
    return bulkStatus(bulk).status;
  },
};

/** All items are of one currency, or the bulk is rejected. */
function suspenseOf({ items: [first] }: ReadBulk) {
  return ["suspense", first?.currency ?? "", bulkRail, newTransfersPart] as const;
}

function totalOf({ items, tooFine }: ReadBulk): RejectedBulkPayload["total"] {
  const [first] = items;
  if (!first || tooFine !== undefined || items.some(({ currency }) => currency !== first.currency)) return undefined;
  const amount = minor(items.reduce((sum, item) => sum + item.amount, 0n));
  const total = writeMoney({ amount, currency: first.currency });
  return wholeDigitsMax.test(total.value) ? total : undefined;
}

/** Whole digits of an amount in a response (spec D5). */
const wholeDigitsMax = /^\d{1,16}(?:\.|$)/;

/** Number of decisions at most, made anew because something changed between the first and the second. */
const triesMax = 3;

export function handleInterbankBulkTransfer(deps: BulkDeps): Handler {
  return async (call) => (await deps.bulkShares.run(call.partner.key, () => accept(deps, call))) ?? tryLater;
}

async function accept(deps: BulkDeps, call: Call): Promise<Reply> {
  const read = await readBulk(call, deps.reference().rails, deps.clock.now());
  if (!read.ok) return read.reply;
  const order: BulkOrder = orderOf<"interbankBulkTransfer", ReadBulk>(call, read.parsed, deps);
  const own = { ...call, freeForm: new Map([...call.freeForm].filter(([path]) => path === "additionalInfo")) };
  const { partnerBulkId } = order.request;
  const named: Spec = partnerBulkId === undefined ? { ...spec, number: "bulkObject[0].partnerReferenceNo" } : spec;
  const reply = (outcome: Outcome<BulkPayload>) => replyTo(operation, named, own, outcome, deps);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const command = decidedAs(commandOf(operation, spec, own, order, deps.clock), deps);
    const inTurn = <Result>(work: () => Promise<Result>) =>
      deps.readShares.run(order.partner, async () => ({ found: await work() }));
    const numbers = order.parsed.items.map(({ key }) => key);
    const looked = await inTurn(() => deps.reads.findUsedNumber(numbers, deps.isRepeatOnly === true));
    if (!looked) return tryLater;
    const { found: used } = looked;
    const checked = await deps.engine.submit(checkOnly(command, used !== undefined));
    if (checked.kind !== "nothing") return reply(checked);
    if (used) return (await inTurn(() => replyToUsedNumber(order, used, deps)))?.found ?? tryLater;
    if (deps.isRepeatOnly) return noRepeat;
    const payer = await inTurn(() => deps.reads.findAccountByNumber(order.request.sourceAccountNo));
    if (!payer) return tryLater;
    if (!payer.found) throw new Error("the account that may be debited is missing");
    const items = await encodeBulk(order, call, payer.found.id);
    const accepted = await deps.engine.submit(withItems(command, items));
    if (accepted.kind === "effect") deps.onFreeForm?.(order.partner, call.freeForm);
    if (accepted.kind !== "nothing") return reply(accepted);
  }
  return tryLater;
}

const nothing = { kind: "nothing" } as const;

/** Finds repeats, and records a rejection; `nothing`: it can be accepted now. A used number comes before rejections. */
function checkOnly(command: Command<BulkPayload>, hasUsedNumber: boolean): Command<BulkPayload> {
  return {
    ...command,
    decide: (found, context) => {
      if (hasUsedNumber) return nothing;
      const decision = command.decide(found, context);
      return decision.kind === "effect" ? nothing : decision;
    },
  };
}

/** `nothing`: something has changed since; its items are taken back. */
function withItems(command: Command<BulkPayload>, items: readonly NewItems[]): Command<BulkPayload> {
  return {
    ...command,
    locks: { ...command.locks, newBulkItems: items },
    decide: (found, context) => {
      const decision = found.hasNewItems() ? command.decide(found, context) : nothing;
      return decision.kind === "effect" ? decision : nothing;
    },
  };
}
