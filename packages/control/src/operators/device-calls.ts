/** Login of the command line: the node speaks with the identity provider, so that no client's secret is on a person's machine. */
import { choice, fits, integer, object, optional, string } from "@titian/contract";
import { type Clock, SealError, type Secrets, time, useOperatorSession } from "@titian/server/admin";
import { ControlError, invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import type { Issuer } from "./issuer.ts";
import { noteDenied, openSession, type OpenSessionDeps } from "./open-session.ts";

export interface DeviceCallsDeps extends OpenSessionDeps {
  readonly issuer: Issuer;
  readonly secrets: Secrets;
  readonly clock: Pick<Clock, "real">;
}

const context = "operators' device login";
const Device = object({ code: string(), until: integer(), intervalSeconds: integer() });
const interval = integer({ description: "seconds until the next question" });

/** Any node or worker goes on with a login that another one began: the caller keeps it, sealed. */
export const deviceCalls = [
  defineCall({
    name: "login begin",
    route: "POST /device",
    role: "viewer",
    does: "Begins a login of the command line: an operator opens address and enters userCode there.",
    answer: object({
      deviceId: string({ description: "names the login in the questions for its end" }),
      userCode: string(),
      address: string(),
      addressWithCode: optional(string()),
      intervalSeconds: interval,
      expiresAt: time({ description: "real time" }),
    }),
    run: async (_input, { issuer, secrets, clock }: DeviceCallsDeps) => {
      const { deviceCode, expiresInSeconds, ...begun } = await issuer.beginDeviceLogin();
      const { intervalSeconds } = begun;
      const expiresAt = clock.real() + expiresInSeconds * 1_000;
      const kept = JSON.stringify({ code: deviceCode, until: expiresAt, intervalSeconds });
      return { deviceId: secrets.seal(kept, context), ...begun, expiresAt };
    },
  }),
  defineCall({
    name: "login end",
    route: "POST /device/end",
    role: "viewer",
    does: "Asks whether the code was entered: state is pending until then, and opened with the secret of a session, once.",
    body: object({ deviceId: string({ description: "the deviceId of the login's beginning" }) }),
    answer: object({
      state: choice(["pending", "opened"]),
      intervalSeconds: optional(interval),
      secret: optional(string({ description: "for Authorization: Bearer" })),
      name: optional(string()),
      expiresAt: optional(time({ description: "real time" })),
    }),
    run: async ({ body }, deps: DeviceCallsDeps, { request }) => {
      const { code, until, intervalSeconds } = readDevice(body.deviceId, deps.secrets);
      if (until <= deps.clock.real())
        throw new ControlError(400, "loginExpired", "Nobody entered the code in time: titian login.", "deviceId");
      const ended = await deps.issuer.endDeviceLogin(code).catch((error: unknown) => {
        noteDenied(deps.security, request, error instanceof ControlError ? error.body.error.code : "failed");
        throw error;
      });
      if (ended === "pending") return { state: "pending" as const, intervalSeconds };
      if (ended === "slowDown") return { state: "pending" as const, intervalSeconds: intervalSeconds + 5 };
      const secret = await openSession(deps, ended, "cli", request);
      const session = await useOperatorSession(deps.database, secret);
      return { state: "opened" as const, secret, name: session?.name, expiresAt: session?.expiresAt };
    },
  }),
] as const;

function readDevice(deviceId: string, secrets: Secrets) {
  try {
    const kept: unknown = JSON.parse(secrets.open(deviceId, context));
    if (fits(Device, kept)) return kept;
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
  }
  throw invalidField("deviceId", "deviceId must be that of a login that was begun here.");
}
