import { createServer } from "node:http";
import { createReceiver, type NotificationStore } from "@titian/client";

export function startReceiver(port: number, providerPublicKey: string, store: NotificationStore) {
  const receiver = createReceiver({
    partnerId: "PARTNER-1",
    keys: { mode: "asymmetric", providerPublicKeys: [providerPublicKey] },
    store, // in your database; createMemoryStore() in tests
    on: {
      async rtgs({ originalReferenceNo, latestTransactionStatus }) {
        console.log(originalReferenceNo, latestTransactionStatus); // store the status here
      },
    },
    onRejected: ({ step, cause }) => console.warn(step, cause),
  });
  // Frameworks with the Fetch API call receiver(request); Express and node:http take receiver.nodeListener.
  return createServer(receiver.nodeListener).listen(port);
}
