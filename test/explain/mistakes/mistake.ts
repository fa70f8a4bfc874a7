/** A mistake that integrators make: how to make it from a right call, and the sentence that must name it. */
import type { Draft, Signer } from "../wrong-signer.ts";
import type { Source } from "./sources.ts";

interface Signers {
  readonly own: Signer;
  /** Another partner of mode 1. */
  readonly other: Signer;
  /** Another partner of mode 2. */
  readonly otherInMode2: Signer;
}

export interface Mistake {
  readonly name: string;
  readonly group: string;
  readonly source: Source;
  readonly cause: string;
  readonly sentenceId: string;
  /** Mode of the partner; 1 unless said otherwise. */
  readonly mode?: "asymmetric";
  readonly make: (draft: Draft, signers: Signers) => void;
}

/** Name, source, id of the sentence, and the change that makes the mistake. */
type Row = readonly [name: string, source: Source, sentenceId: string, make: Mistake["make"]];

export function mistakes(group: string, cause: string, rows: readonly Row[], mode?: "asymmetric"): readonly Mistake[] {
  return rows.map(([name, source, sentenceId, make]) => ({
    name,
    group,
    cause,
    source,
    sentenceId,
    make,
    ...(mode && { mode }),
  }));
}

/** A body whose text is changed for the hash alone. */
export const hashes = (change: (text: string) => string) => (draft: Draft) =>
  void (draft.hashedBody = Buffer.from(change(draft.body.toString())));

/** A body whose text is changed when it is sent, after it was hashed. */
export const sendsOther = (change: (text: string) => string) => (draft: Draft) =>
  void (draft.body = Buffer.from(change(draft.body.toString())));

/** A body that is sent and signed as it is changed here. */
export const signsAndSends = (change: (text: string) => string | Buffer) => (draft: Draft) => {
  draft.body = Buffer.from(change(draft.body.toString()));
  draft.hashedBody = draft.body;
};

/** The same of its members. */
export const withMembers = (members: Readonly<Record<string, unknown>>) =>
  signsAndSends((text) => JSON.stringify({ ...(JSON.parse(text) as object), ...members }));

/** A header with another value; undefined: it is not sent. */
export const sendsHeader = (name: string, value: string | undefined) => (draft: Draft) =>
  void (draft.headers = { ...draft.headers, [name]: value });

export const rewritten = (text: string, indent?: number | string) => JSON.stringify(JSON.parse(text), null, indent);
