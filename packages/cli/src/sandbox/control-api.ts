/** What commands do with the sandbox by its control API. */
import type { RailName } from "@titian/server/admin";
import { callControl } from "./control-call.ts";
import type { SandboxFile } from "./sandbox-file.ts";

export type ControlApi = ReturnType<typeof createControlApi>;

/** `locate` is asked for each call: a sandbox that is started again may be elsewhere. Each call @throws CliError. */
export function createControlApi(locate: () => SandboxFile) {
  const address = "/partners/{partnerId}/notification-address";
  return {
    notificationAddress: async (partnerId: string) =>
      (await callControl(locate(), `GET ${address}`, { params: { partnerId } })).url,
    setNotificationAddress: async (partnerId: string, url: string | null) =>
      void (await callControl(locate(), `PUT ${address}`, { params: { partnerId }, body: { url } })),
    /** Of a transfer (referenceNo) or bulk (bulkId), newest first. */
    notificationsOf: async (referenceNo: string) =>
      (await callControl(locate(), "GET /notifications", { query: { referenceNo } })).notifications,
    /** All rails, and the sandbox's time. */
    rails: () => callControl(locate(), "GET /rails"),
    /** Ends what waits on the rail; returns how many. */
    settle: async (rail: RailName) =>
      (await callControl(locate(), "POST /rails/{rail}/settle", { params: { rail } })).settled,
    returnTransfer: async (referenceNo: string) =>
      void (await callControl(locate(), "POST /transfers/{referenceNo}/return", { params: { referenceNo } })),
    now: async (): Promise<string> => (await callControl(locate(), "GET /clock")).now,
    /** Forward only. */
    moveClock: async (time: string) => void (await callControl(locate(), "POST /clock", { body: { set: time } })),
  };
}
