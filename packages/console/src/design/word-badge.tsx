import { toneOf, word } from "../texts/words.ts";
import { Badge } from "./badge.tsx";

export function StateBadge({ state }: { readonly state: string }) {
  return <Badge tone={toneOf("states", state)}>{word("states", state)}</Badge>;
}

/** `latestTransactionStatus` with its word: "00 Success". */
export function StatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={toneOf("statuses", status)}>{`${status} ${word("statuses", status)}`}</Badge>;
}

/** A response code with its words behind it. */
export function ResponseWords({
  code,
  message = "",
}: {
  readonly code: string;
  readonly message?: string | undefined;
}) {
  return (
    <>
      <ResponseBadge code={code} />
      {message !== "" && <span class="muted small">{message}</span>}
    </>
  );
}

/** A response code in the tone of its first digits; without a code a call that was never answered. */
export function ResponseBadge({ code }: { readonly code: string | undefined }) {
  if (code === undefined || code === "") return <Badge tone="plain">–</Badge>;
  const tone = code.startsWith("202") ? "info" : code.startsWith("2") ? "good" : code.startsWith("5") ? "warn" : "bad";
  return <Badge tone={tone}>{code}</Badge>;
}
