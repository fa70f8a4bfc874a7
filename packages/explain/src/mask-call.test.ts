import assert from "node:assert/strict";
import { test } from "node:test";
import { maskBody, maskHeader, maskTarget } from "./mask-call.ts";

const secret = "0123456789abcdef0123456789abcdef";

test("tokens, signatures and secrets in headers are hidden, and a few characters tell two apart", () => {
  assert.equal(maskHeader("Authorization", `Bearer ${secret}`), "Bearer 012345••• (32 characters)");
  assert.equal(maskHeader("authorization-customer", secret), "012345••• (32 characters)");
  for (const name of [
    "X-SIGNATURE",
    "X-Client-Secret",
    "x-api-key",
    "Cookie",
    "X-Access-Token",
    "AccessToken",
    "Private_Key",
    "Proxy-Authorization",
  ]) {
    assert.doesNotMatch(maskHeader(name, `Basic ${secret}`), /456789/, name);
  }
  assert.doesNotMatch(maskHeader("X-Other", `sent bearer ${secret}`), /456789/);
  assert.equal(maskHeader("X-CLIENT-KEY", "client-of-shop"), "client-of-shop");
  assert.equal(maskHeader("Authorization", "short"), "••• (5 characters)");
});

test("members of JSON and of forms that hold secrets are hidden, also in bodies that are cut or spelled oddly", () => {
  const bodies = [
    `{"accessToken":"${secret}","n":1.0}`,
    `{ "refreshToken" :\n "${secret}" }`,
    `{"auth\\u0043ode":"${secret}"}`,
    `{"a":{"clientSecret":"${secret}`,
    `{"accessToken":"x\\"${secret}"}`,
    `grant_type=client_credentials&client_secret=${secret}&x=1`,
  ];
  for (const body of bodies) assert.doesNotMatch(maskBody(body), /456789/, body);
  assert.equal(maskBody('{"a":"accessToken","b":"c", "n": 1.0}'), '{"a":"accessToken","b":"c", "n": 1.0}');
  assert.equal(maskTarget("/v1.0/x?access_token=abc&a=b"), "/v1.0/x?access_token=•••&a=b");
});

test("secrets that are numbers, lists or objects are hidden, also in malformed JSON, and what follows them is not", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{"pin":123456,"n":1}', '{"pin":"•••","n":1}'],
    ['{"otp": ["123456", 654321 ], "n":1}', '{"otp": "•••", "n":1}'],
    ['{"token":{"a":{"b":"456789"},"c":[456789]},"n":1}', '{"token":"•••","n":1}'],
    ['[{"client-secret":456789}]', '[{"client-secret":"•••"}]'],
    ["{pin: 456789, n: 1}", '{pin: "•••", n: 1}'],
    ["{'password': '45 67 89', 'n': 1}", "{'password': \"•••\", 'n': 1}"],
    ['{"password":"45"67"89","n":1}', '{"password":"•••","n":1}'],
    ['{"pin":456789', '{"pin":"•••"'],
    ['{"otp":["456789', '{"otp":"•••"'],
    ['{"pin":null,"otp":true,"secret":""}', '{"pin":null,"otp":true,"secret":""}'],
    ['{"n":"pin","m":456789}', '{"n":"pin","m":456789}'],
  ];
  for (const [body, expected] of cases) assert.equal(maskBody(body), expected);
});

test("any body of 64 KiB is masked in linear time", () => {
  for (const unit of ['\\"', '"', '"a" ', '"token":', "a=", "&token=", '"token":"\\', '"pin":1,', '"pin":[', "pin:"]) {
    const body = `{"token":"${unit.repeat(65_536 / unit.length)}`;
    const startedAt = performance.now();
    maskBody(body);
    assert.ok(performance.now() - startedAt < 2_000, unit);
  }
});
