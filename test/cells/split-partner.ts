/** A sandbox of two databases, and a partner with accounts in both. */
import { startSandbox } from "../support/black-box/start-sandbox.ts";

export async function startSplitPartner() {
  const sandbox = await startSandbox({}, { database: "split" });
  const alpha = sandbox.caller("alpha");
  const [ofCell = "", ofHome = ""] = alpha.partner.sourceAccounts;
  const [merchantId = ""] = alpha.partner.merchants;
  return { sandbox, control: sandbox.control, alpha, ofCell, ofHome, merchantId };
}
