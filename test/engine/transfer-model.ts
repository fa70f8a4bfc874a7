/** Model of intrabank transfers (17): lists and sums. It predicts the response to every call (spec D2 step 14, D6, D7). */
import {
  countDebit,
  createRequests,
  type Decided,
  type ModelAccount,
  type ModelCall,
  rejectDebit,
  type Repeat,
} from "../support/ledger-model.ts";

export interface TransferCall extends ModelCall {
  /** The command's id. */
  readonly id: string;
  readonly service: number;
  readonly number: string;
  readonly body: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly currency: string;
}

export type ModelReply =
  | { readonly kind: "effect" }
  | { readonly kind: "repeat"; readonly repeat: string; readonly of: string }
  | { readonly kind: "rejection"; readonly rejection: string; readonly at: number };

interface Rejected extends Decided<TransferCall> {
  readonly rejection: string;
}

export interface TransferModel {
  readonly accounts: ReadonlyMap<string, ModelAccount>;
  /** Decides a call; its reply is read when all calls sent with it were decided. */
  decide(call: TransferCall, now: number): () => ModelReply;
  /** The reply to a call as a repeat; undefined where it is none. */
  repeatOf(call: TransferCall, now: number): ModelReply | undefined;
  /** Entries of an account, after the one that opened it. */
  countEntries(accountNo: string): number;
}

export function createTransferModel(accounts: ReadonlyMap<string, ModelAccount>): TransferModel {
  const requests = createRequests<TransferCall, Decided<TransferCall>, Rejected>({
    isSameService: (first, call) => first.service === call.service,
    isSameBody: (first, call) => first.body === call.body,
    isSameNumber: (first, call) => first.service === call.service && first.number === call.number,
    hasSameContent: (first, call) => contentOf(first.call) === contentOf(call),
    hasSameFingerprint: (first, call) => contentOf(first) === contentOf(call),
  });
  const repeatOf = (call: TransferCall, now: number) => {
    const repeat = requests.find(call, now);
    return repeat && replyTo(repeat);
  };
  // A rejected call that locked nothing is run again, behind the calls sent with it.
  const isRunAgain = (call: TransferCall) => !accounts.has(call.from) && !accounts.has(call.to);
  const replyToRejected = (call: TransferCall, now: number, first: ModelReply) => () =>
    isRunAgain(call) ? (repeatOf(call, now) ?? first) : first;
  const reject = (call: TransferCall, rejection: string, now: number) => {
    requests.rejected.push({ call, rejection, at: now });
    return replyToRejected(call, now, { kind: "rejection", rejection, at: now });
  };
  return {
    accounts,
    repeatOf,
    countEntries: (no) => requests.accepted.filter(({ call }) => call.from === no || call.to === no).length,
    decide: (call, now) => {
      const repeat = repeatOf(call, now);
      if (repeat?.kind === "rejection") return replyToRejected(call, now, repeat);
      if (repeat) return () => repeat;
      const [source, beneficiary] = [accounts.get(call.from), accounts.get(call.to)];
      if (!source?.partners.includes(call.partner)) return reject(call, "accountNotPermitted", now);
      if (!beneficiary) return reject(call, "unknownBeneficiary", now);
      const rejection = call.from === call.to ? "sameAccount" : rejectDebit({ ...call, now }, source, beneficiary);
      if (rejection !== undefined) return reject(call, rejection, now);
      requests.accepted.push({ call, at: now });
      countDebit(source, { ...call, now });
      source.balance -= call.amount;
      beneficiary.balance += call.amount;
      return () => ({ kind: "effect" });
    },
  };
}

function replyTo(repeat: Repeat<Decided<TransferCall>, Rejected>): ModelReply {
  if (repeat.kind !== "rejection") return { kind: "repeat", repeat: repeat.kind, of: repeat.first.call.id };
  const { rejection, at } = repeat.first;
  return { kind: "rejection", rejection, at };
}

function contentOf({ amount, currency, from, to }: TransferCall): string {
  return `${amount} ${currency} from ${from} to ${to}`;
}
