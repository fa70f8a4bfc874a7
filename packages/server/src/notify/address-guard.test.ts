import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type AddressRules,
  createAddressGuard,
  ForbiddenAddress,
  isPublicAddress,
  productionRules,
  sandboxRules,
} from "./address-guard.ts";
import { createAddressCheck } from "./check-address.ts";

const forbidden = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:10.0.0.1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "fc00::1",
  "fd12:3456::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "2001::1",
  "2002:7f00:1::",
];

test("no special address is public, and ordinary ones are", () => {
  for (const address of forbidden) assert.equal(isPublicAddress(address), false, address);
  for (const address of ["8.8.8.8", "103.28.12.1", "172.32.0.1", "2404:6800:4003::65", "2600:1f18::1"]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

/** As URLs may spell them: decimal, octal and hexadecimal numbers, short forms, full-width digits. */
const spellings = [
  "2130706433",
  "0x7f.1",
  "0177.0.0.1",
  "127.1",
  "１２７.0.0.1",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:0:0:1]",
];

test("in production a literal address is checked however it is spelled, and TLS is a must", () => {
  const { check } = createAddressGuard(productionRules);
  for (const host of [...spellings, ...forbidden.map((one) => (one.includes(":") ? `[${one}]` : one))]) {
    assert.throws(() => check(new URL(`https://${host}/hooks`)), ForbiddenAddress, host);
  }
  assert.throws(() => check(new URL("http://partner.example/hooks")), ForbiddenAddress);
  check(new URL("https://partner.example/hooks"));
  check(new URL("https://8.8.8.8/hooks"));
});

const answering = (...addresses: string[]): AddressRules => ({
  ...productionRules,
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
});

test("a name that resolves to a forbidden address is not connected to; the sandbox allows it", async () => {
  const lookUp = (isSandbox: boolean, options: object) =>
    new Promise<unknown>((settle) => {
      const { lookup } = createAddressGuard(isSandbox ? sandboxRules : answering("8.8.8.8", "127.0.0.1"));
      lookup("localhost", options, (error, address) => settle(error ?? address));
    });
  for (const options of [{}, { all: true }, { family: 4 }]) {
    assert.ok((await lookUp(false, options)) instanceof ForbiddenAddress);
    const found = await lookUp(true, options);
    assert.ok(typeof found === "string" || Array.isArray(found), String(found));
  }
});

test("an address is checked when it is registered: what is forbidden says why, a name that does not resolve warns", async () => {
  const warnings: string[] = [];
  const check = (address: string, rules = answering("8.8.8.8")) =>
    createAddressCheck(createAddressGuard(rules), (text) => void warnings.push(text))(address);
  assert.equal(await check("https://shop.example/snap?tenant=7"), undefined);
  assert.equal(await check("https://8.8.8.8:8443/snap", answering()), undefined);
  assert.match((await check("http://shop.example")) ?? "", /over https alone/);
  assert.match((await check("https://0x7f.1/snap")) ?? "", /^127\.0\.0\.1 is not a public address/);
  const mixed = await check("https://shop.example", answering("8.8.8.8", "10.0.0.7"));
  assert.match(mixed ?? "", /^shop\.example resolves to 10\.0\.0\.7, which is not/);
  assert.deepEqual(warnings, []);
  const failing = {
    ...productionRules,
    resolve: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
  };
  assert.equal(await check("https://nowhere.example", failing), undefined);
  assert.match(warnings.join(), /^Warning: nowhere\.example does not resolve here \(ENOTFOUND\)/);
});
