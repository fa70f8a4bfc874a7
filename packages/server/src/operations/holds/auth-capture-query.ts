/** 66: what became of a capture. */
import { operations } from "@titian/contract";
import type { Handler } from "../../call.ts";
import { queryChange } from "./change-query.ts";
import type { QueryDeps } from "./hold-queries.ts";

export function handleAuthCaptureQuery(deps: QueryDeps): Handler {
  return queryChange(
    {
      about: operations.authCapture,
      partnerNo: "partnerCaptureNo",
      ourNo: "captureNo",
      tell: ({ amount, status, no, time }) => ({
        captureAmount: amount,
        captureNo: no,
        captureTime: time,
        latestCaptureStatus: status,
      }),
    },
    deps,
  );
}
