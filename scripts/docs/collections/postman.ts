/** A collection in Postman's form, version 2.1, which other tools import too. */
import {
  type CollectionCall,
  collectionDescription,
  collectionName,
  type CollectionPart,
  environment,
  secretName,
  toJson,
} from "./collection.ts";
import { postmanAfter, postmanAfterControl, postmanBefore } from "./scripts.ts";

/** The text of each file, by its path. */
export function writePostman(parts: readonly CollectionPart[]): [string, string][] {
  const collection = {
    info: {
      name: collectionName,
      description: collectionDescription,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: parts.map(writePart),
  };
  const variables = Object.entries(environment).map(([key, value]) => ({ key, value, type: "default", enabled: true }));
  const secret = { key: secretName, value: "", type: "secret", enabled: true };
  return [
    ["titian.postman_collection.json", `${toJson(collection)}\n`],
    ["sandbox.postman_environment.json", `${toJson({ name: collectionName, values: [...variables, secret] })}\n`],
  ];
}

function writePart({ name, description, kind, folders }: CollectionPart): object {
  const isSigned = kind === "signed";
  const bearer = { type: "bearer", bearer: [{ key: "token", value: `{{${secretName}}}`, type: "string" }] };
  return {
    name,
    description,
    auth: isSigned ? { type: "noauth" } : bearer,
    event: isSigned
      ? [event("prerequest", postmanBefore), event("test", postmanAfter)]
      : [event("test", postmanAfterControl)],
    item: folders.map((folder) => ({
      name: folder.name,
      description: folder.description,
      item: folder.calls.map(writeCall),
    })),
  };
}

const event = (listen: string, script: string) => ({
  listen,
  script: { type: "text/javascript", exec: script.trimEnd().split("\n") },
});

function writeCall({ name, description, method, url, query, body }: CollectionCall): object {
  const json = { mode: "raw", raw: body, options: { raw: { language: "json" } } };
  return {
    name,
    request: {
      method,
      description,
      header: body === undefined ? [] : [{ key: "Content-Type", value: "application/json" }],
      url: writeUrl(url, query),
      ...(body !== undefined && { body: json }),
    },
    response: [],
  };
}

function writeUrl(url: string, query: CollectionCall["query"]): object {
  const sent = query.filter(({ isOff }) => !isOff).map(({ name, value }) => `${name}=${value}`);
  const [host = "", ...path] = url.replace("{{apiPath}}", "/{{apiPath}}").split("/");
  return {
    raw: sent.length === 0 ? url : `${url}?${sent.join("&")}`,
    host: [host],
    path,
    ...(query.length > 0 && {
      query: query.map(({ name, value, description, isOff }) => ({
        key: name,
        value,
        description,
        ...(isOff && { disabled: true }),
      })),
    }),
  };
}
