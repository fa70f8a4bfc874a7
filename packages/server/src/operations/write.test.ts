// Common behaviour of all writes (spec D7), by their handlers, with an engine that keeps their commands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationRow, operations } from "@titian/contract";
import { callOf } from "../../../../test/support/administration.ts";
import { testPartnerShares } from "../../../../test/support/partner-shares.ts";
import { referenceWith } from "../../../../test/engine/transfers.ts";
import type { Call, PartnerCredentials } from "../interfaces/call.ts";
import { createClock } from "../basics/clock.ts";
import type { Command, Outcome } from "../engine/command.ts";
import type { AcceptedRequest } from "../store/tables/requests/accepted-requests.ts";
import { merchantKeyOf } from "../ledger/reference/reference-data.ts";
import { keysOfCall } from "./cells/keys-of-call.ts";
import { createHandlers } from "./handlers.ts";

type Fields = Readonly<Record<string, unknown>>;

const writes: readonly OperationRow[] = Object.values(operations).filter(({ kind }) => kind === "write");
const partner = { key: "0190aaaa-0000-7000-8000-000000000001" } as PartnerCredentials;
const clock = createClock();

const merchantOf = (merchantId: unknown, accounts: object) => {
  const terms = {
    key: `key of ${String(merchantId)}`,
    partner: partner.key,
    status: "active",
    customerTokenRequired: false,
  };
  return [
    merchantKeyOf(partner.key, String(merchantId)),
    { ...terms, merchantId, holdMs: 1_000, ...accounts },
  ] as const;
};
const { merchantId } = operations.authPayment.example.request;
const merchants = new Map([
  merchantOf(merchantId, { settlementAccount: "settlement-1", payerAccount: "payer-1" }),
  merchantOf(`${merchantId}1`, { settlementAccount: "settlement-2" }),
]);

/** The handler of an operation, whose commands are kept and end alike. */
function handlerOf(
  { name }: OperationRow,
  outcome: Outcome<never> = { kind: "overloaded" },
  readShares = testPartnerShares(),
) {
  const commands: Command<unknown>[] = [];
  const handlers: Readonly<Record<string, (call: Call) => Promise<object>>> = createHandlers({
    engine: {
      submit: async (command: Command<unknown>) => {
        commands.push(command);
        return outcome;
      },
    },
    clock,
    reference: () => ({ ...referenceWith(86_400_000), merchants }),
    reads: { findUsedNumber: async () => undefined },
    readShares,
    bulkShares: testPartnerShares(),
  } as unknown as Parameters<typeof createHandlers>[0]);
  return { commands, handle: handlers[name] ?? assert.fail(name) };
}

const callWith = (operation: OperationRow, request: Fields, more: Partial<Call> = {}): Call => ({
  ...callOf({ clock }, partner, { operation, request }),
  ...more,
});

for (const operation of writes) {
  test(`${operation.code}: a repeat of a detached request is told that its id or number is taken, and nothing of the first`, async () => {
    const original = { isDetached: true, payload: "{}" } as AcceptedRequest;
    const replyTo = (repeat: "sameCall" | "numberTaken") =>
      handlerOf(operation, { kind: "repeat", repeat, original }).handle(callWith(operation, operation.example.request));
    assert.deepEqual(await replyTo("sameCall"), { case: "conflict" });
    assert.deepEqual(await replyTo("numberTaken"), { case: "inconsistentRequest" });
  });
}

for (const operation of writes) {
  test(`${operation.code}: the keys that are bound for a call are those that its command is known by`, async () => {
    const { commands, handle } = handlerOf(operation);
    const call = callWith(operation, operation.example.request);
    await handle(call);
    const { externalId, numbers } = await keysOfCall(call);
    const [keys] = commands.map((command) => command.keys);
    assert.deepEqual([externalId, numbers[0]?.key], [keys?.externalIdKey, keys?.partnerReferenceKey]);
  });
}

test("20: where PostgreSQL cannot read now, a bulk is answered 503 and decided on nothing", async () => {
  const operation = operations.interbankBulkTransfer;
  const noTurns = { ...testPartnerShares(), run: async () => undefined };
  const { commands, handle } = handlerOf(operation, undefined, noTurns);
  const reply = await handle(callWith(operation, operation.example.request));
  assert.deepEqual([reply, commands], [{ case: "serviceUnavailable", retryAfter: 1 }, []]);
});

/** A value of the same kind that is another one. */
function other(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => other(one, name));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, other(one, key)]));
  }
  if (name === "currency") return value === "USD" ? "IDR" : "USD";
  return typeof value === "string"
    ? `${value}1`
    : (value ?? (/amount$/i.test(name) ? { value: "7.00", currency: "IDR" } : "1"));
}

type Change = (call: Call) => Call;

/** Each field absent, another, or as the content of a free-form field may be; and who the customer's token names. */
function changesOf(operation: OperationRow): readonly Change[] {
  const withField =
    (name: string, value: unknown): Change =>
    (call) => ({ ...call, request: { ...call.request, [name]: value } });
  const fields = Object.entries(operation.request).flatMap(([name, { presence }]) => [
    ...(presence === "mandatory" ? [] : [withField(name, undefined)]),
    withField(name, other((operation.example.request as Fields)[name], name)),
  ]);
  const payers = ["1", "2"].flatMap((customerAccountNo): Change[] => [
    withField("additionalInfo", { sourceAccountNo: customerAccountNo }),
    (call) => ({ ...call, customerAccountNo }),
  ]);
  return [(call) => call, ...fields, ...payers];
}

// Sends of one intent are decided in turn by the rows they lock, which no lock on the intent itself does.
for (const operation of writes) {
  test(`${operation.code}: sends of one number and content lock the same rows, whatever else they say`, async () => {
    const { commands, handle } = handlerOf(operation);
    const first = callWith(operation, operation.example.request);
    const changes = changesOf(operation);
    for (const one of changes) for (const more of changes) await handle(more(one(first)));
    const ofIntent = Map.groupBy(commands, ({ keys }) => `${keys?.partnerReferenceKey} ${keys?.requestFingerprint}`);
    for (const sends of ofIntent.values()) {
      assert.equal(new Set(sends.map(({ locks }) => JSON.stringify(locks))).size, 1, JSON.stringify(sends));
    }
    assert.ok(ofIntent.size > 5 && Math.max(...[...ofIntent.values()].map(({ length }) => length)) > 5);
  });
}
