/** The operations of the collection in Postman's form, each sent after its own script, as the tool does. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { request } from "undici";
import type { Json } from "../black-box/caller.ts";

interface Part {
  readonly event: readonly { readonly listen: string; readonly script: { readonly exec: readonly string[] } }[];
  readonly item: readonly { readonly item: readonly Item[] }[];
}

interface Item {
  readonly name: string;
  readonly request: { readonly body: { readonly raw: string }; readonly url: { readonly raw: string } };
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly header: Readonly<Record<string, string>>;
  readonly body?: { readonly raw: string };
}

const file = resolve(import.meta.dirname, "../../../examples/collections/postman/titian.postman_collection.json");

/** @returns the name of each operation's call, with its response, in the collection's order */
export async function sendOperations(environment: Readonly<Record<string, string>>): Promise<[string, Json][]> {
  const [operations] = (JSON.parse(readFileSync(file, "utf8")) as { readonly item: readonly [Part] }).item;
  const script = operations.event.find(({ listen }) => listen === "prerequest")?.script.exec.join("\n") ?? "";
  const answers: [string, Json][] = [];
  for (const item of operations.item.flatMap((folder) => folder.item)) {
    answers.push([item.name, await send(item.request, script, new Map(Object.entries(environment)))]);
  }
  return answers;
}

async function send({ body, url }: Item["request"], script: string, variables: Map<string, string>): Promise<Json> {
  const replaceIn = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (all, name) => variables.get(name) ?? all);
  const headers: Record<string, string> = {};
  const { promise: signed, resolve: isSigned, reject } = Promise.withResolvers<void>();
  const pm = {
    variables: { get: (name: string) => variables.get(name), set: variables.set.bind(variables), replaceIn },
    request: {
      body,
      url: { getPath: () => new URL(replaceIn(url.raw)).pathname },
      headers: { upsert: ({ key, value }: Record<"key" | "value", string>) => void (headers[key] = value) },
    },
    sendRequest: (sent: Sent, use: (error: unknown, answer: object) => void) =>
      void ask(sent)
        .then(({ code, text }) => use(null, { code, text: () => text, json: () => JSON.parse(text) as Json }))
        .then(() => Object.keys(headers).length > 0 && isSigned())
        .catch(reject),
  };
  runInNewContext(script, { pm });
  await signed;
  const answer = await ask({
    url: replaceIn(url.raw),
    method: "POST",
    header: headers,
    body: { raw: replaceIn(body.raw) },
  });
  return JSON.parse(answer.text) as Json;
}

async function ask({ url, method, header, body }: Sent) {
  const response = await request(url, { method, headers: header, body: body?.raw ?? null });
  return { code: response.statusCode, text: await response.body.text() };
}
