/** The receiver that the other examples mount. Ids and keys come from onboarding with the provider. */
import { readFileSync } from "node:fs";
import { createMemoryStore, createReceiver } from "@titian/client";

const { PARTNER_ID = "PARTNER-1", PROVIDER_PUBLIC_KEYS = "provider.pem" } = process.env;

/** Stands for your table of transfers: the status by the provider's number. */
export const statuses = new Map<string, string>();

interface Settlement {
  readonly originalReferenceNo?: string | undefined;
  readonly latestTransactionStatus: string;
}

/** 00 settled, 06 rejected, 04 returned after settlement. Storing a status twice does no harm. */
function storeStatus({ originalReferenceNo, latestTransactionStatus }: Settlement): void {
  if (originalReferenceNo === undefined) throw new Error("no originalReferenceNo");
  statuses.set(originalReferenceNo, latestTransactionStatus);
}

export const receiver = createReceiver({
  partnerId: PARTNER_ID,
  // Two files while the provider replaces its key.
  keys: {
    mode: "asymmetric",
    providerPublicKeys: PROVIDER_PUBLIC_KEYS.split(",").map((path) => readFileSync(path, "utf8")),
  },
  // For money: postgres-store.ts.
  store: createMemoryStore(),
  on: {
    rtgs: storeStatus,
    skn: storeStatus,
    bulk({ bulkObject }) {
      for (const { partnerReferenceNo, originalReferenceNo, responseCode } of bulkObject) {
        statuses.set(partnerReferenceNo ?? originalReferenceNo ?? "", responseCode);
      }
    },
  },
  onRejected: ({ responseCode, externalId, step, cause }) => console.warn({ responseCode, externalId, step, cause }),
});
