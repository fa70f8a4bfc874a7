/** A partner of a test's own: with keys, a source account, and nobody else's state. */
import { array, choice, object, optional, string } from "@titian/contract";
import { type ControlCells, defineCall, valueOf } from "@titian/control";
import {
  type AccountDeps,
  homeCell,
  newSecret,
  onboardPartner,
  openAccount,
  type PartnerDeps,
} from "@titian/server/admin";
import { makeRsaPair } from "../keys.ts";
import { rupiah } from "../seed.ts";

export interface NewPartnerCallsDeps extends AccountDeps, PartnerDeps {
  /** Absent: home alone. */
  readonly cells?: Pick<ControlCells, "numbers">;
}

/** The channel of the seeded partners. */
const channelId = "95221";
/** Ten billion rupiah, enough for many transfers by RTGS. */
const openingBalance = rupiah("10000000000.00");

export const newPartnerCalls = [
  defineCall({
    name: "partner onboard",
    route: "POST /partners",
    role: "operator",
    does: "A new partner with keys and a funded source account of its own, without a rate limit; answers like an element of `partners` in sandbox.json. Left out, partnerId is made up and signing is symmetric.",
    body: object({
      partnerId: optional(string({ description: "a text of 1 to 36 visible ASCII characters that no partner has" })),
      signing: optional(choice(["symmetric", "asymmetric"], { description: '"symmetric" or "asymmetric"' })),
    }),
    answer: object({
      partnerId: string(),
      clientKey: string(),
      clientSecret: string(),
      privateKey: string({ description: "PEM (PKCS#8)" }),
      publicKey: string({ description: "PEM (SPKI)" }),
      channelId: string(),
      signing: choice(["symmetric", "asymmetric"]),
      sourceAccounts: array(string()),
      merchants: array(string()),
    }),
    run: async ({ body }, deps: NewPartnerCallsDeps) => {
      const { partnerId = `P${newSecret(9).replaceAll(/[^0-9A-Za-z]/g, "0")}`, signing = "symmetric" } = body;
      const { privateKey, publicKey } = await makeRsaPair();
      const [clientKey, clientSecret] = [
        `${partnerId.slice(0, 40).replaceAll("|", "-")}-${newSecret(12)}`,
        newSecret(24),
      ];
      const cells = deps.cells?.numbers() ?? [homeCell];
      const terms = { partnerId, clientKey, name: partnerId, channelId, signing, rateLimit: null, cells };
      const { key } = valueOf(
        await onboardPartner(deps, { ...terms, secrets: [clientSecret], publicKeys: [publicKey] }),
      );
      const account = {
        name: `Payer of ${partnerId}`.slice(0, 100),
        currency: "IDR",
        type: "S",
        partners: [key],
      } as const;
      const { accountNo } = valueOf(await openAccount(deps, { ...account, balance: openingBalance }));
      const credentials = { clientKey, clientSecret, privateKey, publicKey };
      return { partnerId, ...credentials, channelId, signing, sourceAccounts: [accountNo], merchants: [] };
    },
  }),
] as const;
