/** Authorization codes over the control API: what a customer's consent would give a partner (service 74). */
import { object, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import { createAuthCode, type AuthCodeDeps } from "@titian/server/admin";
import { controlErrorOf, readBody } from "@titian/control";

const NewCodeBody = object({
  partnerId: string({ description: "the X-PARTNER-ID of a partner" }),
  accountNo: string({ description: "the number of the customer's account" }),
});

export function serveAuthCodeCalls(app: FastifyInstance, deps: AuthCodeDeps): void {
  app.post("/auth-codes", async ({ body }) => {
    const result = await createAuthCode(deps, readBody(NewCodeBody, body));
    if (!result.ok) throw controlErrorOf(result.rejection);
    return { authCode: result.value.authCode };
  });
}
