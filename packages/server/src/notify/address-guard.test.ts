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
import { createNetworkTest, isPrivateNetwork } from "../basics/private-networks.ts";

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

test("a partner's network is one of an organisation, and no wider than one", () => {
  const networks =
    `10.20.0.0/16 10.20.0.7 10.20.0.0/24 172.16.0.0/16 172.31.9.0/30 192.168.0.0/16 100.64.0.0/16 100.100.100.0/24
    fd12:3456:789a::/48 fd12:3456:789a:1::/64 fd12::1 fc00:1::/48`.split(/\s+/);
  for (const network of networks) assert.equal(isPrivateNetwork(`private:${network}`), true, network);
  const others =
    `10.20.0.0/15 10.0.0.0/8 172.16.0.0/12 172.32.0.0/16 0.0.0.0/0 0.0.0.0 127.0.0.0/16 127.0.0.1 169.254.0.0/16
    169.254.169.254 100.100.100.200 100.128.0.0/16 192.0.0.192 192.0.2.0/24 198.18.0.0/16 203.0.113.0/24 8.8.8.8 224.0.0.0/16
    255.255.255.255 10.20.0.0/33 10.20.0.0/ 10.20.0.0/-1 10.20.0.0/1e1 10.20 010.20.0.0/16 0x0a.20.0.0/16 10.20.0.0/16/16 localhost
    :: ::/0 ::1 fe80::/64 fec0::/48 ff02::1 ff00::/48 fc00::/7 fd00::/8 fd12:3456::/32 fd00:ec2::254 fd00:ec2::/48 fd00:c1::a9fe:a9fe
    fd20:ce::254 2001:db8::/48 2000::/48 ::ffff:10.20.0.0/112 ::ffff:10.20.0.7 ::10.20.0.7 64:ff9b::10.20.0.7 64:ff9b:1::/48
    2002:a14::/48 fd12::1%eth0 [fd12::1]`.split(/\s+/);
  for (const network of others) assert.equal(isPrivateNetwork(`private:${network}`), false, network);
  for (const text of [
    "10.20.0.0/16",
    "public:10.20.0.0/16",
    "private:",
    "private: 10.20.0.0/16",
    "private:10.20.0.0/16 ",
  ]) {
    assert.equal(isPrivateNetwork(text), false, text);
  }
});

test("in a partner's networks are their own addresses alone, in no other form, and never a cloud's metadata", () => {
  const isIn = createNetworkTest(["private:10.20.0.0/16", "private:100.100.0.0/16", "private:fd12:3456:789a::/48"]);
  for (const address of ["10.20.0.1", "10.20.255.255", "100.100.100.199", "fd12:3456:789a::1"]) {
    assert.equal(isIn(address), true, address);
  }
  const others = [...forbidden, "10.19.255.255", "10.21.0.0", "100.100.100.200", "100.101.0.0", "fd12:3456:789b::1"];
  for (const address of [
    ...others,
    "::ffff:10.20.0.1",
    "::ffff:a14:1",
    "::10.20.0.1",
    "64:ff9b::a14:1",
    "2002:a14:1::",
  ]) {
    assert.equal(isIn(address), false, address);
  }
  // As somebody may have written it into the database.
  const wide = createNetworkTest([
    "private:0.0.0.0/0",
    "private:127.0.0.0/8",
    "10.20.0.0/16",
    "private:::/0",
    "private:169.254.0.0/16",
  ]);
  for (const address of [...forbidden, "10.20.0.1"]) assert.equal(wide(address), false, address);
});

test("a partner's networks are permitted beside public addresses, over TLS, and to it alone", async () => {
  const guard = createAddressGuard(answering("10.20.0.7", "8.8.8.8"));
  const ofPartner = guard.permitting(["private:10.20.0.0/16"]);
  const url = new URL("https://host.partner.example/snap");
  assert.equal((await ofPartner.resolve(url)).length, 2);
  ofPartner.check(new URL("https://10.20.0.7/snap"));
  await assert.rejects(guard.resolve(url), { name: "ForbiddenAddress" });
  assert.throws(() => guard.check(new URL("https://10.20.0.7/snap")), ForbiddenAddress);
  assert.throws(() => ofPartner.check(new URL("http://10.20.0.7/snap")), /over https alone/);
  for (const host of ["10.21.0.7", "[::ffff:10.20.0.7]", ...spellings]) {
    assert.throws(() => ofPartner.check(new URL(`https://${host}/snap`)), ForbiddenAddress, host);
  }
  const check = createAddressCheck(guard, () => undefined);
  assert.equal(await check(url.href, ["private:10.20.0.0/16"]), undefined);
  assert.match((await check(url.href, ["private:10.21.0.0/16"])) ?? "", /resolves to 10\.20\.0\.7, which is not/);
});
