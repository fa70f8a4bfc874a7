/** Check that the service's own document describes its responses: made on every response that a test's caller gets. */
import { fits } from "@titian/contract";
import { request } from "undici";
import { type DescribedSchema, withoutReferences } from "../open-api-schema.ts";

interface Responses {
  readonly [status: string]:
    | {
        readonly headers: Readonly<Record<string, unknown>>;
        readonly content: {
          readonly "application/json": {
            readonly schema: DescribedSchema;
            readonly examples: Readonly<Record<string, { readonly value: { readonly responseMessage: string } }>>;
          };
        };
      }
    | undefined;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly post: { readonly responses: Responses } } | undefined>>;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

type Fields = Readonly<Record<string, unknown>>;

interface Checked {
  readonly status: number;
  readonly body: Fields;
}

export type FindFault = (path: string, answer: Checked) => string | undefined;

/** Reads the document of a node; what is served under another prefix or version is looked up by its suffix. */
export async function describedBy(baseUrl: string): Promise<FindFault> {
  const { body } = await request(`${baseUrl}/openapi.json`);
  const { paths, components } = (await body.json()) as Document;
  const bySuffix = new Map(Object.entries(paths).map(([path, item]) => [suffixOf(path), item?.post.responses]));
  const checks = new Map<string, (value: Fields) => boolean>();
  const namesIn = ({ $ref, anyOf = [], properties = {} }: DescribedSchema): readonly string[] => {
    const referred = $ref === undefined ? undefined : components.schemas[$ref.split("/").at(-1) ?? ""];
    return [...Object.keys(properties), ...[referred ?? [], anyOf].flat().flatMap(namesIn)];
  };
  return (path, { status, body: fields }) => {
    const responses = bySuffix.get(suffixOf(path));
    // The bare envelope is of no operation.
    if (responses === undefined) return undefined;
    const described = responses[String(status)];
    if (described === undefined) return `${status} is not described`;
    const key = `${suffixOf(path)} ${status}`;
    let check = checks.get(key);
    if (check === undefined) {
      const { schema, examples } = described.content["application/json"];
      const messages = new Set(Object.values(examples).map(({ value }) => value.responseMessage));
      const whole = withoutReferences(schema, components.schemas);
      const names = new Set(namesIn(schema));
      check = (value) =>
        fits(whole, value) && Object.keys(value).every((name) => names.has(name)) && isKnown(value, messages);
      checks.set(key, check);
    }
    return check(fields) ? undefined : `not as described: ${JSON.stringify(fields)}`;
  };
}

/** True when a reason in brackets is one of the examples'; that of a failure of ours is its id. */
function isKnown({ responseMessage, responseCode }: Fields, messages: ReadonlySet<string>): boolean {
  // The examples name the first item.
  const first = String(responseMessage).replace(/bulkObject\[\d+\]/, "bulkObject[0]");
  // Behind any rejection, as the description of the field says.
  const message = first.replace(/ \[Another send was rejected\]$/, "");
  return !/ \[[^[]+\]$/.test(message) || String(responseCode).startsWith("5") || messages.has(message);
}

const suffixOf = (path: string): string => path.split("?")[0]?.replace(/^.*\/v\d+(?:\.\d+)?\//, "") ?? "";
