/** A collection of calls before it is written in a tool's form. Texts have `{{name}}` where a variable's value goes. */
export interface CollectionCall {
  readonly name: string;
  /** Name of its file, unique in its folder. */
  readonly file: string;
  readonly description: string;
  readonly method: string;
  readonly url: string;
  readonly query: readonly QueryMember[];
  /** JSON, in lines. */
  readonly body: string | undefined;
}

export interface QueryMember {
  readonly name: string;
  readonly value: string;
  readonly description: string;
  /** Switched off until the reader wants it. */
  readonly isOff: boolean;
}

export interface CollectionFolder {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  readonly calls: readonly CollectionCall[];
}

/** Folders that are sent alike: signed by the sandbox, or with the control token. */
export interface CollectionPart {
  readonly name: string;
  readonly file: string;
  readonly description: string;
  readonly kind: "signed" | "control";
  readonly folders: readonly CollectionFolder[];
}

/** Values of the environment: those of `npm start`. The control token is each sandbox's own. */
export const environment = { baseUrl: "http://127.0.0.1:8080", apiPath: "/v1.0", partnerId: "alpha" } as const;
export const secretName = "controlToken";

export const collectionName = "Titian sandbox";
export const collectionDescription = [
  "Every operation that partners call, signed, and the control calls of the sandbox. Set controlToken in the environment:",
  "`npm run -s titian -- sandbox credentials --show-secrets` prints it. Nothing else has to be set: each",
  "call succeeds as it stands, in the order of the collection; RTGS and SKNBI on a working day.",
].join(" ");

export const toJson = (value: unknown): string => JSON.stringify(value, undefined, 2);
