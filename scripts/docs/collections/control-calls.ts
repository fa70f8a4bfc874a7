/** Control calls by noun: what has to be given has a value that works, what may be given is switched off. */
import type { AnyCall } from "@titian/control";
import { nounOf } from "../control-calls.ts";
import { type CollectionCall, type CollectionFolder, type CollectionPart, toJson } from "./collection.ts";

interface Values {
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Values for all calls. `{{authPayment}}` is our number of the newest call of 63; the other operations have theirs. */
const shared: Readonly<Record<string, string>> = {
  accountNo: "1001000001",
  partnerId: "{{partnerId}}",
  rail: "interbank",
  bulkId: "{{interbankBulkTransfer}}",
  id: "{{correlationId}}",
  number: "{{authPayment}}",
  name: "intrabankTransfer",
  merchantId: "{{partnerId}}-shop",
};

const payment = { path: { referenceNo: "{{authPayment}}" } };
const request = { path: { referenceNo: "{{requestForPayment}}" } };
const settled = { path: { referenceNo: "{{interbankTransfer}}" } };

const values: Readonly<Record<string, Values>> = {
  timeline: payment,
  "timeline calls": payment,
  "hold show": payment,
  "hold events": payment,
  "transfer show": settled,
  "transfer return": settled,
  "transfer resolve": { path: { referenceNo: "{{sknTransfer}}" }, body: { result: "settled" } },
  "payment-request show": request,
  "payment-request approve": { ...request, body: {} },
  "payment-request decline": request,
  "account open": { body: { name: "Dewi", balance: "250000.00", partnerId: "{{partnerId}}" } },
  "account fund": { body: { amount: "50000.00", reference: "{{partnerId}}-gift" } },
  "account withdraw": { body: { amount: "10000.00", reference: "{{partnerId}}-counter" } },
  "account correct": {
    body: {
      entries: [
        { accountNo: "1001000001", direction: "debit", amount: "1000.00" },
        { accountNo: "1001000002", direction: "credit", amount: "1000.00" },
      ],
      reference: "{{partnerId}}-correction",
    },
  },
  "ledger move": { body: { pair: "fee", rail: "interbank", amount: "1.00", reference: "{{partnerId}}-income" } },
  "account change": { body: { status: "active" } },
  "account move": { body: { accountNo: "1001000001", cell: 0 } },
  "rail set-mode": { body: { mode: "normal" } },
  "switch close": { path: { name: "rail:rtgs" } },
  "switch reopen": { path: { name: "rail:rtgs" } },
  "partner set": { body: { rateLimit: null } },
  "partner set-address": { body: { url: null } },
  "notification replay": { body: { dead: true } },
  sign: {
    body: {
      partnerId: "{{partnerId}}",
      operation: "internalAccountInquiry",
      body: { beneficiaryAccountNo: "1009000001" },
    },
  },
  "auth-code create": { body: { partnerId: "{{partnerId}}", accountNo: "1001000001" } },
  "clock move": { body: { advanceSeconds: 1 } },
  "fault add": { body: { fault: "delay", next: 1 } },
};

/** A session is of pages, a stream has no end, and a sandbox approves acts by itself. */
const isOfTools = ({ name, answer }: AnyCall): boolean =>
  answer !== undefined &&
  !["session open", "act show", "act sheet", "act approve", "act approve-sheet", "act refuse"].includes(name) &&
  // A sandbox has no operators.
  !/^operators (?:add|grant|take|end)$/.test(name) &&
  // The other calls are those of its partner.
  name !== "consent revoke" &&
  !/^merchant (?:add|change|suspend|resume)$/.test(name) &&
  !/^partner (?:add(?:-|$)|suspend|resume|retire)/.test(name);

export function controlPart(rows: readonly AnyCall[]): CollectionPart {
  const shown = rows.filter(isOfTools);
  const nouns = [...new Set(shown.map(nounOf))];
  return {
    name: "Control calls",
    file: "control-calls",
    kind: "control",
    description:
      "The sandbox is steered by these, with the control token. Those about a payment, transfer, bulk or payment request take the newest that this collection made.",
    folders: nouns.map((noun) => folderOf(noun, shown)),
  };
}

function folderOf(noun: string, rows: readonly AnyCall[]): CollectionFolder {
  const calls = rows.filter((row) => nounOf(row) === noun).map(callOf);
  return { name: noun, file: noun, description: "", calls };
}

function callOf(row: AnyCall): CollectionCall {
  const { name, method, path, access, role, does } = row;
  const own = values[name] ?? {};
  const given = { ...shared, ...own.path };
  const valueOf = (member: string) => given[member] ?? lacks(name, member);
  const body = own.body ?? {};
  for (const member of row.body.required) if (!(member in body)) lacks(name, member);
  return {
    name,
    file: name.replace(" ", "-"),
    description: `${does} (${access === "read" ? "reads" : "acts"}, ${role})`,
    method,
    url: `{{baseUrl}}/sandbox${path.replaceAll(/\{(\w+)\}/g, (_, member: string) => valueOf(member))}`,
    query: queryOf(row, given, valueOf),
    body: Object.keys(row.body.properties).length === 0 ? undefined : toJson(body),
  };
}

function queryOf({ query }: AnyCall, given: Readonly<Record<string, string>>, valueOf: (name: string) => string) {
  return Object.entries(query.properties).map(([name, { description = "" }]) => {
    const isOff = !query.required.includes(name);
    return { name, value: isOff ? (given[name] ?? "") : valueOf(name), description, isOff };
  });
}

function lacks(name: string, member: string): never {
  throw new Error(`scripts/docs/collections/control-calls.ts has no value for ${member} of \`${name}\`.`);
}
