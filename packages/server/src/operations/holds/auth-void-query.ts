/** 68: what became of a void. */
import { operations } from "@titian/contract";
import type { Handler } from "../../call.ts";
import { queryChange } from "./change-query.ts";
import type { QueryDeps } from "./hold-queries.ts";

export function handleAuthVoidQuery(deps: QueryDeps): Handler {
  return queryChange(
    {
      about: operations.authVoid,
      partnerNo: "partnerVoidNo",
      ourNo: "voidNo",
      tell: ({ amount, status, no, time }) => ({
        voidAmount: amount,
        voidNo: no,
        voidTime: time,
        latestVoidStatus: status,
      }),
    },
    deps,
  );
}
