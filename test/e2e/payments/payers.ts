/** Callers under load as they should be: whoever gets no decision asks again with the same external id, newly signed. */
import { type Answer, type Caller, type Json, newNumber } from "../../support/black-box/caller.ts";
import { type Load, startLoad } from "../../support/load.ts";
import { transferBody, transferPath } from "../../support/black-box/transfers.ts";

/** One transfer that somebody wants, however often it has to be sent. */
export interface Intent {
  readonly externalId: string;
  readonly partnerReferenceNo: string;
  readonly from: string;
  readonly to: string;
  /** Rupiah without decimals. */
  readonly value: bigint;
  /** Times it was sent without a response, or with one that leaves the outcome open. */
  unanswered: number;
  isUnderWay: boolean;
  /** The provider's number, once it is known that the transfer was accepted. */
  referenceNo?: string;
  /** Looked up after a crash and not found: the next response must be a first one. */
  isAbsent?: boolean;
}

export interface Payers extends Load {
  readonly intents: readonly Intent[];
  /** Count of answers by code; `none` stands for a call that got no response. */
  readonly codes: ReadonlyMap<string, number>;
  readonly faults: string[];
  answered(): number;
}

interface PayersOptions {
  readonly caller: Caller;
  readonly accounts: readonly string[];
  readonly count: number;
  /** Pause of a payer between two transfers. */
  readonly pauseMs?: number;
  /** Resolves when there is a node to call. */
  up(): Promise<void>;
  random(): number;
}

const triesMost = 500;

export function startPayers(options: PayersOptions): Payers {
  const intents: Intent[] = [];
  const codes = new Map<string, number>();
  const faults: string[] = [];
  const count = (code: string) => codes.set(code, (codes.get(code) ?? 0) + 1);
  const payOnce = async (isAbandoned: () => boolean) => {
    const intent = newIntent(options);
    intents.push(intent);
    const fault = await carryOut(intent, options, count, isAbandoned);
    if (fault !== undefined) faults.push(`${intent.partnerReferenceNo}: ${fault}`);
  };
  const load = startLoad(options.count, payOnce, options);
  return { intents, codes, faults, answered: () => intents.length - options.count, ...load };
}

function newIntent({ accounts, random }: PayersOptions): Intent {
  const pick = () => Math.floor(random() * accounts.length);
  const first = pick();
  const [from = "", to = ""] = [
    accounts[first],
    accounts[(first + 1 + Math.floor(random() * (accounts.length - 1))) % accounts.length],
  ];
  const value = BigInt(1 + Math.floor(random() * 1_000));
  return {
    externalId: newNumber(),
    partnerReferenceNo: newNumber(),
    from,
    to,
    value,
    unanswered: 0,
    isUnderWay: false,
  };
}

/** Sends until the transfer is decided; answers what was wrong with a response, if anything was. */
async function carryOut(
  intent: Intent,
  { caller, up }: PayersOptions,
  count: (code: string) => void,
  isAbandoned: () => boolean,
): Promise<string | undefined> {
  const { externalId, value, ...parts } = intent;
  const body = transferBody({ ...parts, value: `${value}.00` });
  for (let tries = 0; tries < triesMost && !isAbandoned(); tries += 1) {
    await up();
    const call = await caller.sign(transferPath, body, { externalId });
    intent.isUnderWay = true;
    const answer = await caller.send(call).catch(() => undefined);
    intent.isUnderWay = false;
    count(answer?.code ?? "none");
    if (answer !== undefined && answer.status < 500) return decide(intent, answer);
    // 503: nothing was taken. Everything else leaves open whether something was.
    if (answer?.status !== 503) {
      intent.unanswered += 1;
      intent.isAbsent = false;
    }
  }
  return isAbandoned() ? undefined : `no decision after ${triesMost} tries`;
}

/** A first response, or the first response in a repeat: whichever is right after what was known of the intent. */
function decide(intent: Intent, { code, message, body }: Answer): string | undefined {
  const known = intent.referenceNo;
  if (code === "2001700") {
    if (known !== undefined) return `accepted as ${known}, and again as ${String(body["referenceNo"])}`;
    intent.referenceNo = String(body["referenceNo"]);
    return undefined;
  }
  if (code !== "4091700") return `answered ${code} ${message}`;
  if (intent.unanswered === 0 || intent.isAbsent === true)
    return "answered 409xx00 although nothing was accepted before";
  const original = (body["additionalInfo"] as Json | undefined)?.["originalResponse"] as Json | undefined;
  if (original?.["partnerReferenceNo"] !== intent.partnerReferenceNo) {
    return `409xx00 without its first answer: ${JSON.stringify(body)}`;
  }
  const repeated = String(original["referenceNo"]);
  if (known !== undefined && known !== repeated) return `36 knew it as ${known}, its repeat as ${repeated}`;
  intent.referenceNo = repeated;
  return undefined;
}
