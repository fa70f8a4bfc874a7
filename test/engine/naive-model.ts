/**
 * The service as a child would keep it: lists and sums, nothing shared with the ledger or the engine. It predicts the
 * answer to every call from the text of the decisions (D6 answers, D7 repeats, D2 step 14 order).
 */

export interface ModelAccount {
  readonly partners: readonly string[];
  readonly currency: string;
  balance: bigint;
  entries: number;
  status: "active" | "dormant" | "blocked" | "closed";
  each?: bigint | undefined;
  daily?: bigint | undefined;
  dailyCount?: number | undefined;
  /** What left it, each with its day in Jakarta. */
  readonly left: { readonly day: string; readonly amount: bigint }[];
}

export interface ModelCall {
  /** The command's id. */
  readonly id: string;
  readonly partner: string;
  readonly service: number;
  readonly externalId: string;
  readonly number: string;
  readonly signature: string;
  /** Its `X-TIMESTAMP`: more is later. */
  readonly sentAt: number;
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

interface Accepted {
  readonly call: ModelCall;
  readonly at: number;
}

interface Rejected {
  readonly call: ModelCall;
  readonly rejection: string;
  readonly at: number;
}

export interface Model {
  readonly accounts: Map<string, ModelAccount>;
  reply(call: ModelCall, now: number): ModelReply;
  /** What a call would be told now as a repeat; undefined where it is none. */
  repeatOf(call: ModelCall, now: number): ModelReply | undefined;
}

const dayMs = 24 * 60 * 60 * 1_000;

export function createModel(accounts: Map<string, ModelAccount>): Model {
  const accepted: Accepted[] = [];
  const rejected: Rejected[] = [];

  const repeatOf = (call: ModelCall, now: number): ModelReply | undefined => {
    const own = accepted.filter((one) => one.call.partner === call.partner);
    const sameId = own.findLast((one) => one.call.externalId === call.externalId && now - one.at < dayMs);
    if (sameId) {
      const isSameRequest =
        sameId.call.body === call.body ||
        (sameId.call.number === call.number && contentOf(sameId.call) === contentOf(call));
      const isSame = sameId.call.service === call.service && isSameRequest;
      return { kind: "repeat", repeat: isSame ? "sameCall" : "externalIdTaken", of: sameId.call.id };
    }
    const sameNumber = own.find((one) => one.call.service === call.service && one.call.number === call.number);
    if (sameNumber) {
      const isSame = contentOf(sameNumber.call) === contentOf(call);
      return { kind: "repeat", repeat: isSame ? "sameNumber" : "numberTaken", of: sameNumber.call.id };
    }
    const before = rejected.filter((one) => one.call.partner === call.partner);
    const copied = before.find((one) => one.call.signature === call.signature);
    // Sends are ordered: the first one of this id that was rejected and not sent before this call.
    const ofId = before.filter((one) => one.call.externalId === call.externalId && one.call.sentAt >= call.sentAt);
    const first = copied ?? ofId.toSorted((a, b) => a.call.sentAt - b.call.sentAt)[0];
    return first && { kind: "rejection", rejection: first.rejection, at: first.at };
  };

  return {
    accounts,
    repeatOf,
    reply: (call, now) => {
      const repeat = repeatOf(call, now);
      if (repeat) return repeat;
      const rejection = rejectionOf(call, accounts.get(call.from), accounts.get(call.to), now);
      if (rejection !== undefined) {
        rejected.push({ call, rejection, at: now });
        return { kind: "rejection", rejection, at: now };
      }
      accepted.push({ call, at: now });
      pay(call, accounts, now);
      return { kind: "effect" };
    },
  };
}

function contentOf({ amount, currency, from, to }: ModelCall): string {
  return `${amount} ${currency} from ${from} to ${to}`;
}

function rejectionOf(
  call: ModelCall,
  source: ModelAccount | undefined,
  beneficiary: ModelAccount | undefined,
  now: number,
): string | undefined {
  if (!source?.partners.includes(call.partner)) return "accountNotPermitted";
  if (!beneficiary) return "unknownBeneficiary";
  if (call.from === call.to) return "sameAccount";
  if (source.currency !== call.currency || beneficiary.currency !== call.currency) return "currencyMismatch";
  for (const { status } of [source, beneficiary]) {
    if (status === "closed" || status === "blocked") return "accountInactive";
    if (status === "dormant") return "accountDormant";
  }
  const today = source.left.filter((one) => one.day === dayOf(now));
  const spent = today.reduce((sum, one) => sum + one.amount, 0n);
  if (call.amount === 0n) return "amountTooSmall";
  if (source.each !== undefined && call.amount > source.each) return "overTransactionLimit";
  if (source.dailyCount !== undefined && today.length >= source.dailyCount) return "tooManyInPeriod";
  if (source.daily !== undefined && spent + call.amount > source.daily) return "overDailyLimit";
  if (call.amount > source.balance) return "insufficientFunds";
  return undefined;
}

function pay({ from, to, amount }: ModelCall, accounts: Map<string, ModelAccount>, now: number): void {
  const [source, beneficiary] = [accounts.get(from), accounts.get(to)];
  if (!source || !beneficiary) throw new Error("the model pays between accounts it does not have");
  source.balance -= amount;
  source.entries += 1;
  source.left.push({ day: dayOf(now), amount });
  beneficiary.balance += amount;
  beneficiary.entries += 1;
}

/** The date in Jakarta, seven hours ahead of UTC. */
function dayOf(now: number): string {
  return new Date(now + 7 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}
