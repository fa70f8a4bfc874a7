// Goal: what a row states of its operation is whole and true of its fields, since other packages tell it unseen. Method:
// the type of a row rejects a fact that is left out; what types cannot say is compared with the fields and with other rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attemptStatuses,
  authPaymentMembers,
  type Fields,
  type FieldType,
  operationByCode,
  type OperationName,
  type OperationRow,
  operationRows,
  operations,
  reasonsOf,
  reportedBy,
  TransferServiceCode,
  transactionStatusCodes,
  writesOf,
} from "@titian/contract";
import type { AboutOf } from "../src/about.ts";

type Rows = typeof operations;
type Without<Name extends OperationName, Fact extends PropertyKey> = Omit<Rows[Name]["about"], Fact>;
type Demanded<Name extends OperationName> = AboutOf<Rows[Name]["kind"], Rows[Name]["request"], Rows[Name]["response"]>;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Facts that some row may leave out. */
type Deletable = {
  [Name in OperationName]: {
    [Fact in keyof Rows[Name]["about"]]: Without<Name, Fact> extends Demanded<Name> ? Fact : never;
  }[keyof Rows[Name]["about"]];
}[OperationName];

test("a row without one of its facts is no row, but for members that are read, what an inquiry tells, and accounts that are looked up", () => {
  const onlyThese: Same<Deletable, "looksUp" | "members" | "tells"> = true;
  assert.ok(onlyThese);
  assert.equal(operations.authPayment.about.members, authPaymentMembers);
});

test("look-ups of accounts are 15, 16 and 19, each by a mandatory field", () => {
  const lookUps = operationRows.flatMap(({ code, about: { looksUp }, request }: OperationRow) =>
    looksUp === undefined ? [] : [`${code} ${request[looksUp]?.presence}`],
  );
  assert.deepEqual(new Set(lookUps), new Set(["15 mandatory", "16 mandatory", "19 mandatory"]));
});

const valuesOf = (type: FieldType | undefined): readonly string[] => (type?.kind === "text" && type.values) || [];

const fieldOf = (fields: Fields, path: string) => {
  const [name = "", ofItem] = path.split("[].");
  const type = fields[name]?.type;
  return ofItem === undefined || type?.kind !== "list" ? type : type.entry[ofItem]?.type;
};

for (const { name, kind, request, response, about } of operationRows.filter((row) => row.kind === "write")) {
  test(`${name}: amount and numbers are fields of it, and what it starts from is of the same noun`, () => {
    const { amount = "", number = "", partnerNumber = "", within, startsFrom } = about;
    assert.equal(fieldOf(request, amount)?.kind, "money");
    assert.equal(response[number]?.type.kind, "text");
    assert.equal(request[partnerNumber]?.type.kind, "text");
    if (within !== undefined) assert.equal(request[within]?.presence, "mandatory", "a part of its key");
    assert.equal(within === undefined, startsFrom === undefined);
    if (startsFrom !== undefined) assert.equal(operations[startsFrom].about.noun, about.noun);
    assert.equal(kind, "write");
  });
}

for (const { name, code, request, about } of operationRows.filter((row) => row.kind === "write")) {
  test(`${name}: its inquiry can be asked with what it has, and tells its status and our number`, () => {
    if (about.inquiry === undefined) return assert.equal(name, "authRefund");
    const inquiry: OperationRow = operations[about.inquiry];
    const { asked = "", status = "", number = "" } = inquiry.about.tells ?? {};
    assert.equal(inquiry.request[asked]?.type.kind, "text");
    const needed = Object.keys(inquiry.request).filter((field) => inquiry.request[field]?.presence === "mandatory");
    for (const field of needed) assert.ok(field in request || field === "serviceCode", field);
    if (needed.includes("serviceCode")) assert.ok(TransferServiceCode.values?.some((value) => value === code));
    const values = valuesOf(inquiry.response[status]?.type);
    assert.ok([transactionStatusCodes, attemptStatuses].some((all) => all.every((value) => values.includes(value))));
    assert.equal(inquiry.response[number]?.type.kind, "text");
  });

  test(`${name}: it is done at the status of its repeat, unless a notification has its result, and never where it failed`, () => {
    const { doneAt = [], failedAt = [], exampleStatus = "07", notifiedBy } = about;
    assert.equal(doneAt.includes(exampleStatus), notifiedBy === undefined);
    assert.deepEqual([...doneAt, ...failedAt].toSorted(), [...new Set([...doneAt, ...failedAt])].toSorted());
    assert.ok(![...doneAt, ...failedAt].includes("07"));
  });
}

test("every notification reports one write, of its noun, and is sent where that one's path leads", () => {
  for (const { name, path, about } of operationRows.filter(({ kind }) => kind === "notification")) {
    const write = reportedBy(name);
    assert.deepEqual([write?.about.noun, `${write?.path}/notify`], [about.noun, path]);
  }
});

test("a write is pending in the example of a repeat where a notification has its result", () => {
  for (const { name, about } of writesOf("transfer", "bulk")) {
    assert.equal(about.exampleStatus, about.notifiedBy === undefined ? "00" : "03", name);
  }
});

test("a write whose partner's number is not partnerReferenceNo names it in the message of a repeat", () => {
  for (const { code, about } of operationRows.filter(({ kind }) => kind === "write")) {
    const { partnerNumber = "" } = about;
    const expected = partnerNumber === "partnerReferenceNo" ? [] : [partnerNumber];
    assert.deepEqual(reasonsOf("duplicatePartnerReferenceNo", code), expected, code);
  }
});

test("transfers over a rail may meet its limit and its closing; those within the bank the closing of the service alone", () => {
  for (const { code, cases, about } of writesOf("transfer", "bulk")) {
    const isOverRail = about.rail !== undefined;
    assert.ok(cases.includes("featureNotAllowedAtThisTime"), code);
    const closings = reasonsOf("featureNotAllowedAtThisTime", code);
    assert.equal(closings.includes("Rail closed by operator"), isOverRail, code);
    assert.ok(closings.includes("Service closed"), code);
    assert.equal(reasonsOf("exceedsTransactionAmountLimit", code).includes("Rail limit"), isOverRail, code);
  }
});

test("the status inquiries cover every transfer, payment request and bulk", () => {
  const codes = writesOf("transfer", "paymentRequest", "bulk").map(({ code }) => code);
  assert.deepEqual(codes, TransferServiceCode.values);
});

test("a service code leads to its row, as a text and as a number", () => {
  assert.equal(operationByCode(65), operations.authCapture);
  assert.equal(operationByCode("65"), operations.authCapture);
});
