import assert from "node:assert/strict";
import { test } from "node:test";
import { currencyCodes, currencyScale } from "./currencies.ts";

test("a currency has the decimals of ISO 4217", () => {
  const scales = { IDR: 2, USD: 2, SGD: 2, JPY: 0, KRW: 0, VND: 0, KWD: 3, BHD: 3, CLF: 4 };
  for (const [code, scale] of Object.entries(scales)) assert.equal(currencyScale(code), scale, code);
});

test("a code that is no currency of an account has none", () => {
  for (const code of ["", "idr", "RP", "IDRX", "XXX", "XAU", "XTS", "HRK", "DEM", "toString"]) {
    assert.equal(currencyScale(code), undefined, code);
  }
});

test("every code has three capitals and is listed once", () => {
  assert.ok(currencyCodes.every((code) => /^[A-Z]{3}$/.test(code)));
  assert.equal(new Set(currencyCodes).size, currencyCodes.length);
  assert.ok(currencyCodes.length > 150);
});
