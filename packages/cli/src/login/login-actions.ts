/** Actions of `titian login` and `titian logout`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CallsOfOperators } from "@titian/control/types";
import { callsBy } from "../control/call-row.ts";
import { carrierTo } from "../control/http.ts";
import { operatorsMount } from "../control/service.ts";
import { note, print } from "../output.ts";
import { forgetSession, keepSession } from "../control/session-file.ts";
import "../program-name.ts";

/** Ends when the code was entered, or has expired. */
export async function login(): Promise<void> {
  const mount = operatorsMount({ session: false });
  const call = callsBy<CallsOfOperators>(carrierTo(mount));
  const { deviceId, userCode, address, addressWithCode, intervalSeconds } = await call("POST /device");
  note(`Open ${addressWithCode ?? address} in a browser, and log in there. The code is ${userCode}.`);
  for (let seconds = intervalSeconds; ; ) {
    await sleep(seconds * 1_000);
    const { state, secret, name, expiresAt, ...next } = await call("POST /device/end", { body: { deviceId } });
    seconds = next.intervalSeconds ?? seconds;
    if (state === "pending" || secret === undefined) continue;
    keepSession(mount.serviceUrl, secret);
    return print(`Logged in as ${name}, until ${expiresAt} or 30 minutes without use.`);
  }
}

export async function logout(): Promise<void> {
  const mount = operatorsMount({ session: true });
  try {
    await callsBy<CallsOfOperators>(carrierTo(mount))("POST /logout");
  } finally {
    forgetSession(mount.serviceUrl);
  }
  print("Logged out.");
}
