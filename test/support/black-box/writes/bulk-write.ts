/** The interbank bulk transfer (20): accepted as a whole, its items settle behind the response. */
import assert from "node:assert/strict";
import { bulkBody, bulkItem, bulkPath, changeItem, itemsOf, untilBulkEnds } from "../bulks.ts";
import { type Json, newNumber } from "../caller.ts";
import { toMinor } from "../control.ts";
import type { RailFixture } from "../rails/rail-fixture.ts";
import { moneyOf } from "../rails/rail-money.ts";
import { interbank } from "../rails/rail-services.ts";
import { idr } from "../transfers.ts";
import type { Write } from "./write.ts";

export function bulkWrite(fixture: RailFixture): Write {
  const { control, newPayer } = fixture;
  const { value, amount, fee } = interbank;
  const opening = "1000000000.00";
  const total = { amount: 3n * amount, fee: 3n * fee };
  return {
    service: "20",
    path: bulkPath,
    ofAmount: (body, changed) => ({ bulkObject: itemsOf(changeItem(body, 1, { amount: idr(changed) })) }),
    number: "partnerBulkId",
    value,
    mandatory: [],
    onSuccess: ["bulkId"],
    isSentOn: true,
    isTransfer: true,
    statusAfter: () => "00",
    newIntent: async (partnerId = "alpha") => {
      const payer = await newPayer(opening, { partnerId });
      const moved = await fixture.watch("interbank", payer);
      return {
        body: bulkBody(payer, 3, { feeType: "OUR" }),
        effect: async () => {
          const { ledgerBalance } = await control.account(payer);
          return Number(toMinor(opening) - toMinor(ledgerBalance)) / Number(total.amount + total.fee);
        },
        expectPlaces: async () => assert.deepEqual(await moved(), moneyOf(total).settled),
      };
    },
    untilDone: async (answer, partner = "alpha") => void (await untilBulkEnds(fixture[partner], answer)),
    renewed: (body) => ({ bulkObject: withItems(body, () => ({ partnerReferenceNo: newNumber() })) }),
    content: {
      same: (body) => [
        { bulkObject: itemsOf(body).toReversed() },
        { bulkObject: withItems(body, () => ({ beneficiaryAccountName: "Another", additionalInfo: { a: 1 } })) },
        // The same bank by its other codes.
        changeItem(body, 2, { bankCode: "CENAIDJA" }),
        changeItem(body, 0, { bankCode: "CENAIDJA001", originatorInfos: [] }),
        { remark: "another", customerReference: "INV-2", transactionDate: "2026-12-01T00:00:00Z", currency: "IDR" },
        { feeType: undefined, additionalInfo: { a: 1 } },
      ],
      other: async (body) => [
        changeItem(body, 2, { beneficiaryAccountNo: "7001001002" }),
        changeItem(body, 0, { bankCode: "BMRIIDJA" }),
        changeItem(body, 1, { partnerReferenceNo: newNumber() }),
        { bulkObject: itemsOf(body).slice(1) },
        { bulkObject: [...itemsOf(body), bulkItem()] },
        { sourceAccountNo: await newPayer() },
        { feeType: "BEN" },
      ],
    },
  };
}

const withItems = (body: Json, more: () => Json) => itemsOf(body).map((item) => ({ ...item, ...more() }));
