/** An operator's act in words, with names and amounts, in both languages. */
import { fromReferenceNo } from "../../basics/ids.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import type { TransferState } from "../../ledger/transfers/states.ts";
import { findAccountByNumber } from "../../store/reads/accounts.ts";
import type { ActRow } from "../../store/reads/acts.ts";
import { findTransferOf } from "../../store/reads/transfers.ts";
import type { QueryDeps } from "../query-deps.ts";
import { summarizeTransfer } from "../transfers/transfers.ts";
import { describeChange } from "./describe-change.ts";
import { describeAmount, describeJournal } from "./describe-journal.ts";
import { describeOperatorAct } from "./describe-operator.ts";
import { describeReferenceAct } from "./describe-reference-act.ts";
import { type AboutPeople, accountPart, money, namePart, type Sentence } from "./sentence.ts";

export type DescribeDeps = Pick<QueryDeps, "pool" | "cell" | "reference">;

/** Never fails: a list shows an act that nobody can read, too. */
export async function describeAct(deps: DescribeDeps, act: ActRow): Promise<AboutPeople> {
  return describeKind(deps, act).catch(() => ({
    en: `An act on ${act.target} that cannot be read: refuse it`,
    id: `Tindakan atas ${act.target} yang tidak dapat dibaca: tolaklah`,
    personalParts: [accountPart(act.target)],
  }));
}

async function describeKind(deps: DescribeDeps, act: ActRow): Promise<AboutPeople> {
  const { kind, target, reference, after } = act;
  switch (kind) {
    case "opening":
    case "accountOpening": {
      const [name, balance] = [String(after["name"]), money(after["balance"], after["currency"])];
      return {
        en: `Open account ${target} of ${name} with ${balance.en}`,
        id: `Membuka rekening ${target} atas nama ${name} dengan ${balance.id}`,
        personalParts: [accountPart(target), namePart(name)],
      };
    }
    case "funding":
    case "withdrawal":
      return describeAmount(deps, act);
    case "correction":
    case "move":
      return describeJournal(deps, act);
    case "adoption": {
      const amount = money(after["amount"], after["currency"]);
      const [en, id] = target.startsWith("transit:")
        ? [`payments ${reference} of ${target}`, `pembayaran ${reference} dari ${target}`]
        : [`payment ${target} of the ${reference} rail`, `pembayaran ${target} dari jaringan ${reference}`];
      return { en: `Write ${en} back: ${amount.en}`, id: `Menulis kembali ${id}: ${amount.id}` };
    }
    case "resolution":
    case "return":
      return describeDecision(deps, act);
    case "closing":
      return {
        en: `Close ${target} at once: ${closedThere(target).en}`,
        id: `Menutup ${target} seketika: ${closedThere(target).id}`,
      };
    case "reopening":
      return { en: `Open ${target} again`, id: `Membuka kembali ${target}` };
    case "operatorAddition":
    case "roleGrant":
    case "roleRemoval":
    case "operatorEnding":
    case "breakGlass":
      return describeOperatorAct(deps, act);
    case "unmasking":
      return {
        en: `Show what is masked of ${target} for 15 minutes`,
        id: `Menampilkan yang disamarkan dari ${target} selama 15 menit`,
        personalParts: fromReferenceNo(target) === undefined ? [accountPart(target)] : [],
      };
    case "accountMove":
      return describeMove(act);
    case "blocking":
    case "accountChange":
      return describeChange(deps, act);
    case "partner":
    case "partnerKey":
    case "partnerSuspension":
    case "partnerResumption":
    case "partnerRetirement":
    case "merchant":
    case "merchantSuspension":
    case "merchantResumption":
    case "grantRevocation":
      return describeReferenceAct(deps, { ...act, kind });
    case "operator":
      return { en: "Name the first operators of this database", id: "Menunjuk operator pertama basis data ini" };
  }
}

function describeMove({ target, after }: ActRow): AboutPeople {
  const [from, to] = [String(after["from"]), String(after["to"])];
  return {
    en: `Move account ${target} from cell ${from} to cell ${to}`,
    id: `Memindahkan rekening ${target} dari sel ${from} ke sel ${to}`,
    personalParts: [accountPart(target)],
  };
}

/** Effect of a closed switch. */
function closedThere(name: string): Sentence {
  if (name === "intake") return { en: "all writes are answered 503xx00", id: "semua permintaan tulis dijawab 503xx00" };
  return name.startsWith("rail:")
    ? { en: "new transfers over the rail are rejected 403xx06", id: "transfer baru lewat jaringan ini ditolak 403xx06" }
    : { en: "new requests of the service are rejected 403xx06", id: "permintaan baru layanan ini ditolak 403xx06" };
}

const stateWords: Readonly<Record<TransferState, string>> = {
  queued: "mengantre",
  submitted: "dikirim",
  pending: "menunggu hasil",
  settled: "selesai",
  rejected: "ditolak",
  returned: "dikembalikan",
};

async function describeDecision(deps: DescribeDeps, { target, after }: ActRow): Promise<AboutPeople> {
  const became = String(after["resolution"]);
  const was = String(after["seen"]);
  const id = fromReferenceNo(target);
  const found = id === undefined ? undefined : await findTransferOf(deps.pool, id);
  if (!found) {
    // In a detached partition.
    return {
      en: `Record transfer ${target} as ${became}; it was ${was}`,
      id: `Mencatat transfer ${target} sebagai ${wordOf(became)}; sebelumnya ${wordOf(was)}`,
    };
  }
  const { payerAccountNo, beneficiary, sentAmount, fee, currency } = summarizeTransfer(found);
  const holder = await holderOf(deps, payerAccountNo);
  const payer = `${holder} (${payerAccountNo})`;
  const bank = findBank(deps.reference.current().rails, beneficiary.bankCode);
  const bankName = bank === undefined || bank === "own" ? beneficiary.bankCode : bank.name;
  const receiver = `${beneficiary.name} (${beneficiary.accountNo}, ${bankName})`;
  const amount = money(became === "rejected" ? sentAmount + fee : sentAmount, currency);
  const isAsked = after["isAfterInquiry"] === true;
  const asked = isAsked
    ? { en: ", once its rail says that it does not have it", id: ", setelah jaringan menyatakan tidak memilikinya" }
    : { en: "", id: "" };
  return {
    en: `Record transfer ${target} from ${payer} to ${receiver} as ${became}${asked.en}: ${amount.en} ${effectOf(became).en}; it was ${was}`,
    id: `Mencatat transfer ${target} dari ${payer} ke ${receiver} sebagai ${wordOf(became)}${asked.id}: ${amount.id} ${effectOf(became).id}; sebelumnya ${wordOf(was)}`,
    personalParts: [
      ...[payerAccountNo, beneficiary.accountNo].map(accountPart),
      ...[holder, beneficiary.name].map(namePart),
    ],
  };
}

/** The amount's part of the sentence. */
function effectOf(became: string): Sentence {
  if (became === "rejected")
    return { en: "goes back to the payer, with the fee", id: "kembali ke pembayar, termasuk biaya" };
  return became === "returned"
    ? { en: "goes back to the payer, the fee is kept", id: "kembali ke pembayar, biaya tetap" }
    : { en: "counts as received", id: "dianggap sudah diterima" };
}

function wordOf(state: string): string {
  return new Map<string, string>(Object.entries(stateWords)).get(state) ?? state;
}

async function holderOf({ pool }: DescribeDeps, accountNo: string): Promise<string> {
  return (await findAccountByNumber(pool, accountNo))?.name ?? "unknown";
}
