/**
 * A checkout that pays once: its response is lost, it is settled nevertheless, and settled again it pays nothing.
 * The checkout is examples/attempts/check-out.ts; a store for it in PostgreSQL, examples/attempts/postgres-store.ts.
 *
 *   npm start                                                  in one terminal
 *   npx node --conditions=source examples/checkout.ts          in another
 */
import { createClient, createMemoryAttempts } from "@titian/client";
import { checkOut } from "./attempts/check-out.ts";
import { createLossyFetch, readSandbox } from "./support/sandbox.ts";

const { connection, sourceAccounts } = readSandbox();
const [payer, shop] = sourceAccounts;

// Simulates a lost response.
const { fetch, loseNextResponse } = createLossyFetch();
const store = createMemoryAttempts();
const client = createClient({ ...connection, fetch });
const order = { id: `INV-${Date.now()}`, placedAt: new Date().toISOString(), total: "99000.00", payer, shop };

console.log("The checkout, whose response is lost:");
// The token is there already: what is lost is the transfer's response.
await client.internalAccountInquiry({ beneficiaryAccountNo: shop });
loseNextResponse();
const { state, status } = await checkOut(client, store, order);
console.log({ state, status });

console.log("\nThe same order again, as after a crash:");
const again = await checkOut(client, store, order);
if (again.state !== "done") throw new Error(`The order is ${again.state}.`);
console.log(again.response);

console.log("\nThe same order with another total is refused:");
try {
  await checkOut(client, store, { ...order, total: "98000.00" });
} catch (error) {
  console.log(error instanceof Error && error.name);
}
