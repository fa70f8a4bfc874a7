/** Open holds for the captures of a window, placed by calls of operation 63 before it. */
import { operations, responseCode } from "@titian/contract";
import { toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { query } from "../database/databases.ts";
import type { CaptureLoad } from "../subject.ts";
import type { LoadSettings } from "../workers/load-settings.ts";
import { authPaymentBody, type HeldFor } from "./request-bodies.ts";
import { connectLoad } from "./send-all.ts";
import type { SignRequest } from "./signed-requests.ts";

/** Gives the next capture's hold. */
export type NextHold = () => HeldFor | undefined;

/** The most captures that one hold takes: the highest TITIAN_HOLD_EVENTS_MAX. */
export const capturesPerHoldMax = 10_000;
const callers = 64;
const placedWithinSeconds = 300;
const successStart = `{"responseCode":"${responseCode("success", operations.authPayment.code)}"`;

export interface HoldSupply {
  /** Gets a window ready in which at most so many captures are expected. */
  prepare(load: CaptureLoad, captures: number, sign: SignRequest): Promise<NextHold>;
}

export function createHoldSupply(
  { caller, ports, accountNumbers, url }: LoadSettings,
  nextId: () => string,
): HoldSupply {
  const merchantId = caller.merchants[0] ?? "";
  let many: readonly HeldFor[] | undefined;

  const place = async (payers: readonly string[], sign: SignRequest): Promise<readonly HeldFor[]> => {
    const requests = payers.map((payer) => {
      const id = nextId();
      return { id, bytes: sign(id, authPaymentBody(id, { payer, merchantId, captures: capturesPerHoldMax })) };
    });
    let next = 0;
    const send = await connectLoad({
      window: { load: "manyHolds", callers: Math.min(callers, requests.length), seconds: placedWithinSeconds },
      host: caller.host,
      ports: ports ?? [caller.port],
      successStart,
      nextRequest: () => requests[next++]?.bytes,
    });
    await send();
    const numbers = requests.map(({ id }) => `'${id}'`).join();
    const rows = await query(
      url,
      `select id, partner_reference_no from holds where partner_reference_no in (${numbers})`,
    );
    return rows.map((row) => ({
      originalReferenceNo: toReferenceNo(String(row["id"])),
      originalPartnerReferenceNo: String(row["partner_reference_no"]),
      merchantId,
    }));
  };

  return {
    prepare: async (load, captures, sign) => {
      if (load === "manyHolds") {
        many ??= await place(accountNumbers, sign);
        const holds = many;
        return () => holds[Math.floor(Math.random() * holds.length)];
      }
      const count = Math.ceil(captures / capturesPerHoldMax);
      const holds = await place(
        Array.from({ length: count }, () => accountNumbers[0] ?? ""),
        sign,
      );
      let given = 0;
      return () => holds[Math.floor(given++ / capturesPerHoldMax)];
    },
  };
}
