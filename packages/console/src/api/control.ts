/** Calls of the control API. */
import type { Call } from "./call.ts";
import { connection, refresh, signIn } from "./connection.ts";
import { controlPath, headersOf } from "./host.ts";

/** The place of an act. */
export interface ActPlace {
  readonly actId: string;
  /** Absent: home. */
  readonly cell?: number | undefined;
}

/** Error of the control API, or of the way to it, instead of a result. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /** 0: there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** The act that it is about. */
  readonly act: ActPlace | undefined;
  constructor(status: number, code: string, message: string, field?: string, about?: ActPlace) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.act = about;
  }
}

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Status where nothing is wrong and nothing was done yet: another operator has to approve it. */
export const waits = 202;

/** @throws ControlError */
export async function control<Result>(call: Call<Result>, options: SendOptions = {}): Promise<Result> {
  const response = await fetchControl(call, options);
  // A result is of the shape that the control API documents.
  return (await response.json().catch(() => undefined)) as Result;
}

/** The response to a call that was carried out; its body is not read yet. @throws ControlError, also of what waits for approval */
export async function fetchControl(call: Call<unknown>, options: SendOptions): Promise<Response> {
  let response = await send(call, options);
  if (response.status === 401 && (await signIn())) response = await send(call, options);
  if (response.ok && response.status !== waits) return response;
  throw errorOf(response.status, await response.json().catch(() => undefined));
}

/** As `control`, for what changes something: everything shown is read anew. */
export async function act<Result>(call: Call<Result>): Promise<Result> {
  try {
    return await control(call);
  } finally {
    refresh();
  }
}

async function send({ method, path, mount, body }: Call<unknown>, { headers, signal }: SendOptions): Promise<Response> {
  try {
    const response = await fetch(`${mount ?? controlPath()}${path}`, {
      method,
      credentials: "same-origin",
      ...(signal && { signal }),
      headers: { ...headersOf(method), ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (connection.peek() === "offline") {
      connection.value = "online";
      refresh();
    }
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.value = "offline";
    throw new ControlError(0, "offline", "The service does not answer.");
  }
}

interface ErrorBody {
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly field?: unknown;
    readonly actId?: unknown;
    readonly cell?: unknown;
  };
}

function errorOf(status: number, answer: unknown): ControlError {
  const { error } = (typeof answer === "object" && answer !== null ? answer : {}) as ErrorBody;
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return new ControlError(
    status,
    text(error?.code) ?? "",
    text(error?.message) ?? `HTTP ${status}`,
    text(error?.field),
    typeof error?.actId === "string" ? { actId: error.actId, cell: error.cell as number | undefined } : undefined,
  );
}
