import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId, toReferenceNo } from "../../ids.ts";
import { packFreeForm } from "../free-form.ts";
import { createNotificationWriter } from "./write-notification.ts";

const [id, partner] = [newId(), newId()];
const request = {
  partnerReferenceNo: "TRF/1",
  beneficiaryAccountName: 'Siti "Nur" Aini',
  beneficiaryAccountNo: "7001001001",
  beneficiaryBankCode: "014",
  sourceAccountNo: "1001000001",
  transactionDate: "2026-11-21T10:00:00+07:00",
  amount: { value: "150000000", currency: "IDR" },
};

/** The body of 76 for a transfer whose request had this text as its `additionalInfo`. */
async function bodyWith(additionalInfo: string): Promise<string> {
  const freeForm = packFreeForm(new Map([["additionalInfo", Buffer.from(additionalInfo)]]));
  const [partnerReferenceKey, bodyHash, requestFingerprint] = ["", "", ""];
  const facts = JSON.stringify({ request });
  const keys = { partnerReferenceKey, bodyHash, requestFingerprint };
  const write = createNotificationWriter({
    findRequest: async () => ({ ...keys, id, partner, service: 22, externalId: "1", facts, freeForm, at: 0 }),
    findTransfer: async () => undefined,
    listItemResults: async () => [],
  });
  const body = await write({ id: newId(), partner, service: 76, resource: id, status: "00" });
  return Buffer.from(body).toString("utf8");
}

/** A text as a sender may spell it: any of its characters escaped, a slash too. */
const stringText = fc
  .array(fc.tuple(fc.constantFrom("/", '"', "\\", "\n", "é", "😀", "\ud800", "a", "2", " "), fc.boolean()), {
    maxLength: 6,
  })
  .map((characters) => {
    const escape = (text: string) =>
      Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
    const spell = ([text, isEscaped]: readonly [string, boolean]) => {
      if (text === "/" && isEscaped) return "\\/";
      return isEscaped ? escape(text) : JSON.stringify(text).slice(1, -1);
    };
    return `"${characters.map(spell).join("")}"`;
  });
const numberText = fc.constantFrom("1.0", "-0", "0.10", "1e2", "1E+3", "1e400", "12345678901234567890", "0.1e-7");
const keyText = fc.oneof(stringText, fc.constantFrom('"10"', '"2"', '"__proto__"', '"rejection"'));
const listText = (texts: readonly string[], open: string, close: string) => `${open} ${texts.join(" ,\n")}\t${close}`;
const { object } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    stringText,
    numberText,
    fc.constantFrom("true", "null"),
    fc.array(tie("value"), { maxLength: 3 }).map((texts) => listText(texts, "[", "]")),
    tie("object"),
  ),
  object: fc
    .array(
      fc.tuple(keyText, tie("value")).map((pair) => pair.join(" : ")),
      { maxLength: 4 },
    )
    .map((texts) => listText(texts, "{", "}")),
}));

test("a body is what JSON.stringify makes of it parsed, whatever additionalInfo the request had", async () => {
  await fc.assert(
    fc.asyncProperty(object, async (additionalInfo) => {
      const body = await bodyWith(additionalInfo);
      const parsed = JSON.parse(body);
      assert.equal(body, JSON.stringify(parsed));
      assert.doesNotMatch(body, /(?<!\\)(?:\\\\)*\\\//);
      const given = JSON.parse(JSON.stringify(JSON.parse(additionalInfo)));
      assert.deepEqual(parsed.additionalInfo ?? {}, given);
      assert.equal(body, await bodyWith(additionalInfo));
    }),
  );
});

test("a body has the request's fields, and no additionalInfo where there is none", async () => {
  for (const none of ["{}", "[1]", '"text"', "null"]) {
    const { partnerReferenceNo, ...fields } = request;
    assert.deepEqual(JSON.parse(await bodyWith(none)), {
      ...fields,
      originalPartnerReferenceNo: partnerReferenceNo,
      originalReferenceNo: toReferenceNo(id),
      originalExternalId: "1",
      latestTransactionStatus: "00",
      amount: { value: "150000000.00", currency: "IDR" },
    });
  }
});
