/** Unmasking of one record's personal data, for a while. */
import { object, string } from "@titian/contract";
import { time, unmask } from "@titian/server/admin";
import { actReason } from "../acts/act-reason.ts";
import { decide } from "../acts/decide.ts";
import type { ActCallsDeps } from "../acts/act-calls.ts";
import { invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

/** A number of ours, an account number, or the id of an act. */
const numberShape = /^[0-9A-Za-z._-]{1,64}$/;

export const unmaskCalls = [
  defineCall({
    name: "record unmask",
    route: "POST /records/{number}/unmask",
    role: "support",
    does: "Shows the personal data of one record unmasked, to who makes the call alone and for 15 minutes: in the answers of the calls that have this number, accountId or actId in their paths. An act of the kind unmasking says who, and why.",
    body: object({ reason: actReason }),
    answer: object({
      actId: string(),
      until: time({ description: "real time" }),
    }),
    run: ({ params: { number }, body }, { database }: Pick<ActCallsDeps, "database">) => {
      if (!numberShape.test(number)) throw invalidField("number", "number must be that of a record.");
      return decide(unmask(database, number, body.reason));
    },
  }),
] as const;
