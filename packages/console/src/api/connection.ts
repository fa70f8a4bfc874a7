/** State of the connection: whether the service answers, whether it knows us, and what makes the pages read anew. */
import { effect, signal } from "@preact/signals";
import { logOut, openSession } from "./host.ts";

export type Connection = "online" | "offline" | "signedOut";

export const connection = signal<Connection>("online");
/** Grows when what the pages show may have changed: after an act, a sign-in, and a restart of the service. */
export const generation = signal(0);

const firstRetryMs = 500;
const lastRetryMs = 5_000;

export function refresh(): void {
  generation.value += 1;
}

/** While the service is away it is asked, ever more slowly, until it answers. */
effect(() => {
  if (connection.value !== "offline") return;
  let delayMs = firstRetryMs;
  let timer = setTimeout(retry, delayMs);
  async function ask(): Promise<void> {
    if (await signIn()) return;
    if (connection.peek() !== "offline") return;
    delayMs = Math.min(delayMs * 2, lastRetryMs);
    timer = setTimeout(retry, delayMs);
  }
  function retry(): void {
    void ask();
  }
  return () => clearTimeout(timer);
});

/** Opens a session; `connection` says afterwards how it went. Callers at once share one attempt. */
export function signIn(controlToken?: string): Promise<boolean> {
  attempt ??= trySignIn(controlToken).finally(() => {
    attempt = undefined;
  });
  return attempt;
}

/** Ends the operator's session with a node in production. */
export async function signOut(): Promise<void> {
  await logOut();
  connection.value = "signedOut";
}

let attempt: Promise<boolean> | undefined;

async function trySignIn(controlToken: string | undefined): Promise<boolean> {
  try {
    const result = await openSession(controlToken);
    connection.value = result === "opened" ? "online" : "signedOut";
    if (result === "opened") refresh();
    return result === "opened";
  } catch {
    connection.value = "offline";
    return false;
  }
}
