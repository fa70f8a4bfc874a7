/** Calls of the control API. */
import { connection, refresh, signIn } from "./connection.ts";
import { host } from "./host.ts";

/** What the control API, or the way to it, answered instead of a result. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /** 0: there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

interface ControlCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * @param path after the control API's own, with its query
 * @throws ControlError
 */
export async function control<Result>(path: string, call: ControlCall = {}): Promise<Result> {
  let response = await send(path, call);
  if (response.status === 401 && (await signIn())) response = await send(path, call);
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw errorOf(response.status, answer);
  // A result is of the shape that the control API documents.
  return answer as Result;
}

/** As `control`, for what changes something: everything shown is read anew. */
export async function act<Result>(path: string, call: ControlCall): Promise<Result> {
  try {
    return await control<Result>(path, { method: "POST", ...call });
  } finally {
    refresh();
  }
}

async function send(path: string, { method = "GET", body, signal }: ControlCall): Promise<Response> {
  try {
    const response = await fetch(`${host.control}${path}`, {
      method,
      credentials: "same-origin",
      ...(signal && { signal }),
      headers: { ...host.headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (connection.peek() === "offline") connection.value = "online";
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.value = "offline";
    throw new ControlError(0, "offline", "The service does not answer.");
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly field?: unknown };
}

function errorOf(status: number, answer: unknown): ControlError {
  const { error } = (typeof answer === "object" && answer !== null ? answer : {}) as ErrorBody;
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return new ControlError(
    status,
    text(error?.code) ?? "",
    text(error?.message) ?? `HTTP ${status}`,
    text(error?.field),
  );
}
