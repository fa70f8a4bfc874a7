/** Authorization codes: what a customer's consent would give a partner (service 74). */
import { object, string } from "@titian/contract";
import { defineCall, valueOf } from "@titian/control";
import { createAuthCode, type AuthCodeDeps } from "@titian/server/admin";

export const authCodeCalls = [
  defineCall({
    name: "auth-code create",
    route: "POST /auth-codes",
    role: "support",
    does: "The holder of the account agrees that the partner gets tokens for it. The code is for service 74: good once, for 10 minutes.",
    body: object({
      partnerId: string({ description: "the X-PARTNER-ID of a partner" }),
      accountNo: string({ description: "the number of the customer's account" }),
    }),
    answer: object({ authCode: string() }),
    run: async ({ body }, deps: AuthCodeDeps) => valueOf(await createAuthCode(deps, body)),
  }),
] as const;
