/**
 * A rail of one's own: it hands instructions to a gateway of the bank by HTTP. All that the gateway has to do:
 *
 *   PUT  /instructions/{referenceNo}          takes an instruction, each number and each `idempotencyKey` once, and says
 *                                             what became of it so far; of a key that it has under another number:
 *                                             what became of that one:
 *                                             {"kind":"settled","traceNo":"GW000001"}, or another RailState
 *   GET  /instructions/{referenceNo}          the same again; 404: neither has it nor is about to
 *   GET  /keys/{idempotencyKey}               the number that it has the key under: {"referenceNo":"…"}; 404: none
 *   GET  /beneficiaries/{bankCode}/{account}  who holds an account: a BeneficiaryAnswer
 *   GET  /results?most=256                    what ended by itself and was not acknowledged: {"waiting":1,"results":[…]}
 *   POST /results/acknowledged                these are not returned again
 *
 * 503: nothing was accepted, for certain; so an instruction is answered that comes after its `validUntil`. What the responses
 * hold is checked by the service.
 */
import {
  type BeneficiaryAnswer,
  type Instruction,
  type Rail,
  RailDown,
  type RailName,
  type RailResult,
  type RailState,
} from "@titian/server/rails";

interface Waiting {
  readonly waiting: number;
  readonly results: readonly RailResult[];
}

/** Time for calls that the service sets no time for. */
const answerMs = 5_000;

export function createGatewayRail(name: RailName, gateway: string): Rail {
  async function call(method: string, path: string, { body, signal }: CallOptions = {}): Promise<Response> {
    const response = await fetch(`${gateway}${path}`, {
      method,
      signal: signal ?? AbortSignal.timeout(answerMs),
      ...(body !== undefined && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      // Nobody listens: nothing was sent. Whatever else went wrong, it may have arrived.
      throw isRejected(error) ? new RailDown(`${gateway} cannot be reached`, { cause: error }) : error;
    });
    if (response.status === 503) throw new RailDown(`${gateway} takes nothing at present`);
    if (response.ok || response.status === 404) return response;
    throw new Error(`${gateway} answered ${method} ${path} with ${response.status}`);
  }

  const askResults = async (most: number) => read<Waiting>(await call("GET", `/results?most=${most}`));

  return {
    name,
    submit: async (instruction: Instruction, signal) => {
      const path = `/instructions/${instruction.referenceNo}`;
      return read<RailState>(await call("PUT", path, { body: instruction, signal }));
    },
    inquire: async (referenceNo, signal) => {
      const response = await call("GET", `/instructions/${referenceNo}`, { signal });
      return response.status === 404 ? undefined : read<RailState>(response);
    },
    hasUnderOtherNumber: async ({ referenceNo, idempotencyKey }, signal) => {
      const response = await call("GET", `/keys/${idempotencyKey}`, { signal });
      return (
        response.status !== 404 && (await read<Pick<Instruction, "referenceNo">>(response)).referenceNo !== referenceNo
      );
    },
    inquireBeneficiary: async (bankCode, accountNo, signal) => {
      const [bank, account] = [bankCode, accountNo].map(encodeURIComponent);
      return read<BeneficiaryAnswer>(await call("GET", `/beneficiaries/${bank}/${account}`, { signal }));
    },
    results: async (most) => (await askResults(most)).results,
    acknowledge: async (results) => void (await call("POST", "/results/acknowledged", { body: results })),
    waiting: async () => (await askResults(0)).waiting,
    close: async () => undefined,
  };
}

interface CallOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** @throws when it is no response to this call: what became of an instruction is then unknown. */
async function read<Shape>(response: Response): Promise<Shape> {
  if (!response.ok) throw new Error(`${response.url} was answered with ${response.status}`);
  return (await response.json()) as Shape;
}

function isRejected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ECONNREFUSED";
}
