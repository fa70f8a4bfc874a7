/** The fourth step: the partner's key, the provider's and the master key are replaced while calls go on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@titian/client";
import { untilAll } from "./closings.ts";
import { accounts, credentialsOf, type Day, secretIn, timeUntil } from "./day.ts";
import { newMasterKey, newNodeKeys, nodeIndexes } from "./nodes.ts";
import { clearing, within } from "./bodies.ts";
import { done } from "./people.ts";
import { clientAt, codeOf, expectCode, newKeyPair, partnerId } from "./shop.ts";

const why = ["--reason", "yearly rotation"] as const;
const inquire = (client: Client) => codeOf(client.internalAccountInquiry({ beneficiaryAccountNo: accounts.other }));

export async function rotate(day: Day): Promise<string> {
  const partners = await replacePartnerCredentials(day);
  const own = await replaceOwnKeys(day);
  return `${partners}; ${own}`;
}

/** Both pairs are good while the overlap lasts; then the first is retired. */
async function replacePartnerCredentials(day: Day): Promise<string> {
  const { people, staff, titian } = day;
  const { operator, approver } = staff;
  const change = (...words: readonly string[]) => people.byFourEyes(operator, approver, "partner", ...words, ...why);
  const before = { shopKeys: day.shopKeys, clientSecret: day.clientSecret };
  const shopKeys = await newKeyPair((_env, ...words) => titian(...words), join(day.directory, "shop-keys-2"));
  await change("key", "add", partnerId, "--public-key", shopKeys.publicKeyFile, "--overlap", "1h");
  const clientSecret = secretIn(await change("secret", "add", partnerId, "--overlap", "1h"));
  Object.assign(day, { shopKeys, clientSecret });
  await untilAll(day, inquire, "2001500");
  for (const url of day.nodes.baseUrls) assert.equal(await inquire(clientAt(url, credentialsOf(before))), "2001500");

  for (const [noun, kind] of [["key", "publicKey"] as const, ["secret", "secret"] as const])
    await change(noun, "retire", partnerId, await findReplaced(day, kind));
  for (const url of day.nodes.baseUrls) {
    const withOldKey = clientAt(url, credentialsOf({ ...before, clientSecret }));
    await timeUntil(2_000, async () => (await inquire(withOldKey)) === "4017300");
    const withOldSecret = clientAt(url, credentialsOf({ ...before, shopKeys }));
    await timeUntil(2_000, async () => (await inquire(withOldSecret)) === "4011500");
  }
  await untilAll(day, inquire, "2001500");
  return "partner's key and secret: both pairs good beside each other on both nodes, the first rejected once retired";
}

/** Id of the one that has an end, since another has come. */
async function findReplaced({ people, staff }: Day, kind: "publicKey" | "secret"): Promise<string> {
  const listed = done(await people.titian(staff.viewer, "partner", "key", "list", partnerId, "--json"));
  const { credentials }: { readonly credentials: readonly Listed[] } = JSON.parse(listed);
  return credentials.find((one) => one.kind === kind && one.expiresAt !== null)?.id ?? assert.fail(listed);
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly expiresAt: string | null;
}

/**
 * One node after the other, twice: first each accepts what the new master key has made, then each makes it. So no token that one
 * has given is rejected by the other.
 */
async function replaceOwnKeys(day: Day): Promise<string> {
  const { keys, nodes, shop } = day;
  const next = { ...newNodeKeys(day.directory, "provider-2", newMasterKey()), previousMasterKey: keys.masterKey };
  shop.trust([next.providerPublicKey, keys.providerPublicKey]);
  let calls = 0;
  // Each keeps its token.
  const clients = new Map(nodes.baseUrls.map((url) => [url, clientAt(url, credentialsOf(day))]));
  const pay = async (servingUrl: string) => {
    calls += 1;
    const paid = clients.get(servingUrl)?.intrabankTransfer(within(`K-17-${calls}`, "1.00"));
    await expectCode("2001700", paid ?? assert.fail(servingUrl));
    await sleep(50);
  };
  for (const now of [{ ...keys, previousMasterKey: next.masterKey }, next]) {
    for (const index of nodeIndexes) {
      await nodes.restart(index, now, pay);
      await takeEachOthersTokens(day);
    }
  }
  day.keys = next;
  shop.trust([next.providerPublicKey]);
  await isNotified(day);
  done(await day.deploymentJob("secrets", "reseal"));
  done(await day.deploymentJob("secrets", "reseal", "--check"));
  await untilAll(day, inquire, "2001500");
  return `master key and provider's key by two rolling restarts, nothing left under the one before, ${calls} transfers paid and each node's tokens taken by the other meanwhile, a notification verified by the new key alone`;
}

async function takeEachOthersTokens(day: Day): Promise<void> {
  const [first, second] = day.nodes.baseUrls;
  for (const [giver, taker] of [[first, second] as const, [second, first] as const]) {
    const client = clientAt(taker, credentialsOf(day), (url, request) =>
      fetch(url.includes("/access-token/") ? url.replace(taker, giver) : url, request),
    );
    assert.equal(await inquire(client), "2001500", `a token of ${giver} at ${taker}`);
  }
}

async function isNotified(day: Day): Promise<void> {
  const { nodes, shop } = day;
  const before = shop.received.length;
  const client = clientAt(nodes.baseUrls[0], credentialsOf(day));
  await expectCode("2002200", client.rtgsTransfer(clearing("K-22", "150000.00")));
  await timeUntil(30_000, async () => shop.received.length > before);
}
