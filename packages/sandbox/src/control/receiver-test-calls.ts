/** Test notifications: a partner's receiver is tried without a payment. */
import { choice, object, operations, optional } from "@titian/contract";
import {
  ControlError,
  defineCall,
  describeReceiverTest,
  notificationServices,
  receiverTestView,
  unknownPartner,
} from "@titian/control";
import { type Core, findReceiverTest, probePartner, type ReceiverTest } from "@titian/server/admin";

export interface ReceiverTestCallsDeps {
  /** Undefined: there is no such partner. @throws ControlError when nothing can be sent to it */
  testReceiver(partnerId: string, service: number): Promise<ReceiverTest | undefined>;
}

export function receiverTestsOf(core: Core, providerKey: string): ReceiverTestCallsDeps["testReceiver"] {
  return async (partnerId, service) => {
    const partner = core.reference.byPartnerId(partnerId);
    const endpoint = partner && core.reference.endpoints().get(partner.key);
    if (endpoint === undefined) return undefined;
    if (endpoint.address === undefined) {
      throw new ControlError(409, "noAddress", `${partnerId} has no notification address: set one first.`, "partnerId");
    }
    if (endpoint.isSecretUnreadable && endpoint.signing === "symmetric") {
      const message = `A client secret of ${partnerId} cannot be decrypted: titian partner secret add ${partnerId}.`;
      throw new ControlError(409, "secretUnreadable", message, "partnerId");
    }
    await probePartner(core, { endpoint, service, providerKey });
    return findReceiverTest(core.pool, partnerId);
  };
}

export const receiverTestCalls = [
  defineCall({
    name: "partner test-receiver",
    route: "POST /partners/{partnerId}/receiver-test",
    role: "operator",
    does: "Sends a test notification (76 unless serviceCode says another), as `titian partner notify` does. Answered 401, it is followed by others that try the usual mistakes of receivers one by one, which may take some seconds. The result is kept as the partner's last one.",
    body: object({
      serviceCode: optional(choice(notificationServices, { description: `one of ${notificationServices.join(", ")}` })),
    }),
    answer: object({ test: receiverTestView }),
    run: async (
      { params: { partnerId }, body: { serviceCode = operations.rtgsNotification.code } },
      deps: ReceiverTestCallsDeps,
    ) => {
      const test = await deps.testReceiver(partnerId, Number(serviceCode));
      if (test === undefined) throw unknownPartner(partnerId);
      return { test: describeReceiverTest(test) };
    },
  }),
] as const;
