/** Content of the form, and its signed call. */
import type { OperationView, SampleAnswer, SignedRequest, SignRequest } from "@titian/sandbox/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { control, type ControlError } from "../../api/control.ts";
import { asControlError } from "../../api/resource.ts";
import type { Values } from "./body-form.tsx";

/** The code follows the form, but not each key. */
const settleMs = 350;

export interface Draft {
  readonly values: Values;
  /** The body as written by hand; undefined: the form's values. */
  readonly text: string | undefined;
  readonly externalId: string;
  readonly customerToken: string;
}

export interface Target {
  readonly operation: OperationView;
  readonly partnerId: string;
}

export function draftOf({ body }: SampleAnswer): Draft {
  return { values: body, text: undefined, externalId: "", customerToken: "" };
}

/**
 * @param sent what was sent before: the call gets other numbers
 * @throws ControlError
 */
export function sign({ operation, partnerId }: Target, draft: Draft, sent?: Draft): Promise<SignedRequest> {
  const request: SignRequest = {
    partnerId,
    operation: operation.name,
    body: draft.text ?? draft.values,
    ...(draft.externalId !== (sent?.externalId ?? "") && { externalId: draft.externalId }),
    ...(sent && { newNumbers: true }),
    ...(draft.customerToken !== "" && { customerToken: draft.customerToken }),
  };
  return control(call("POST /sign", { body: request }));
}

/** The mistake of software that signs the members in another order than it sends them. */
export async function signReordered(target: Target, draft: Draft): Promise<SignedRequest> {
  const sent = draft.text ?? JSON.stringify(draft.values);
  const text = JSON.stringify(sortMembers(draft.values));
  return { ...(await sign(target, { ...draft, text })), body: sent };
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}

export interface Signed {
  readonly call: SignedRequest | undefined;
  readonly error: ControlError | undefined;
}

/** The draft as a signed call, for its code: of one that was sent another one, which is not answered as a repeat (409). */
export function useSigned({ operation, partnerId }: Target, draft: Draft, sent: Draft | undefined): Signed {
  const [signed, setSigned] = useState<Signed>({ call: undefined, error: undefined });
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      sign({ operation, partnerId }, draft, sent).then(
        (done) => isCurrent && setSigned({ call: done, error: undefined }),
        (error: unknown) => isCurrent && setSigned({ call: undefined, error: asControlError(error) }),
      );
    }, settleMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [operation, partnerId, draft, sent]);
  return signed;
}
