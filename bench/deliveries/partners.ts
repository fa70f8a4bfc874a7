/** Partners that are notified, each at an address of its own. */
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { changePartner, onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createSecrets } from "../../packages/server/src/basics/secrets.ts";
import { masterKeys } from "../../test/support/administration.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";

/** Each with an address of its own at one endpoint. */
export const partnerCount = 32;

export interface NotifiedPartners extends AsyncDisposable {
  /** Internal ids. */
  readonly keys: readonly string[];
  /** Sets the signing of all; running nodes work by it within 2 s. */
  setMode(mode: "symmetric" | "asymmetric"): Promise<void>;
}

interface PartnersOptions {
  readonly url: string;
  readonly secret: string;
  /** Origin of the endpoint: each partner's address is a path there. */
  readonly origin: string;
}

const makeKeyPair = promisify(generateKeyPair);

export async function onboardNotified({ url, secret, origin }: PartnersOptions): Promise<NotifiedPartners> {
  const database = createAdminPool(url, 1);
  const secrets = createSecrets(masterKeys);
  const deps = { database, secrets, clock: createClock(), checkAddress: async () => undefined };
  const numbers = Array.from({ length: partnerCount }, (_, number) => number);
  const idOf = (number: number) => `bench-${number}`;
  const keys: string[] = [];
  for (const number of numbers) {
    const { publicKey } = await makeKeyPair("rsa", { modulusLength: 2048 });
    const result = await onboardPartner(deps, {
      partnerId: idOf(number),
      clientKey: idOf(number),
      name: `Bench ${number}`,
      channelId: "95221",
      rateLimit: null,
      signing: "symmetric",
      secrets: [secret],
      publicKeys: [publicKey.export({ type: "spki", format: "pem" }).toString()],
      notificationAddress: `${origin}/p${number}`,
    });
    if (!result.ok) throw new Error(`A partner could not be onboarded: ${result.rejection.message}`);
    keys.push(result.value.key);
  }
  return {
    keys,
    setMode: async (notificationSigning) => {
      for (const number of numbers) await changePartner(deps, idOf(number), { notificationSigning });
    },
    [Symbol.asyncDispose]: () => database.end(),
  };
}
