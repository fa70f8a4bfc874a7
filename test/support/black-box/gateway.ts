/** Gateway behind the rail of `examples/own-rail`, on a real socket, which carries each key once. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "./caller.ts";

export interface Gateway extends AsyncDisposable {
  readonly url: string;
  /** Instructions that were submitted to it, oldest first: each key once, with the number that it came with first. */
  instructions(): readonly Json[];
  /** Sets its response for instructions to the account; of any other it says that it settled. */
  answer(accountNo: string, state: Json): void;
  /** Tells a result by itself, again and again until it is taken. */
  tell(referenceNo: string, state: Json): void;
  waiting(): number;
  /** Nobody listens any more. */
  stop(): Promise<void>;
}

interface Store {
  readonly instructions: Map<string, Json>;
  readonly answers: Map<unknown, Json>;
  results: { readonly referenceNo: string; readonly state: Json }[];
}

export async function startGateway(): Promise<Gateway> {
  const store: Store = { instructions: new Map(), answers: new Map(), results: [] };
  const server = createServer((request, response) => void handle(store, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    instructions: () => [...store.instructions.values()],
    answer: (accountNo, state) => void store.answers.set(accountNo, state),
    tell: (referenceNo, state) => void store.results.push({ referenceNo, state }),
    waiting: () => store.results.length,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function handle(store: Store, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  const { method = "", url = "" } = request;
  const answer = respond(store, `${method} ${url}`, text === "" ? undefined : JSON.parse(text));
  response.writeHead(answer === undefined ? 404 : 200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(answer ?? {}));
}

function respond(store: Store, call: string, body: Json | undefined): unknown {
  const { instructions, answers, results } = store;
  const [, method = "", kind = "", rest = ""] = /^(\w+) \/(\w+)[/?]?(.*)$/.exec(call) ?? [];
  if (kind === "instructions") {
    const key = body?.["idempotencyKey"];
    const same = [...instructions.values()].find(({ idempotencyKey }) => key !== undefined && idempotencyKey === key);
    if (method === "PUT" && body && !same) instructions.set(rest, body);
    const instruction = same ?? instructions.get(rest);
    return instruction && stateOf(answers, instruction);
  }
  if (kind === "keys") return [...instructions.values()].find(({ idempotencyKey }) => idempotencyKey === rest);
  if (kind === "beneficiaries") return { kind: "found", name: `Holder of ${rest}`, currency: "IDR" };
  if (method === "GET") return { waiting: results.length, results };
  const taken = (body as unknown as Store["results"]).map(({ referenceNo }) => referenceNo);
  store.results = results.filter(({ referenceNo }) => !taken.includes(referenceNo));
  return {};
}

function stateOf(answers: Store["answers"], { beneficiaryAccountNo, referenceNo }: Json): Json {
  return answers.get(beneficiaryAccountNo) ?? { kind: "settled", traceNo: `GW${String(referenceNo).slice(-8)}` };
}
