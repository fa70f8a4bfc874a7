/** Starts engines in processes of their own over one database: two nodes are two processes. */
import type { Outcome } from "../../packages/server/src/engine/command.ts";
import { type ChildNode, forkChild } from "../support/child-node.ts";
import type { Transfer, TransferPayload } from "./transfers.ts";

export interface NodeTransfer extends Transfer {
  /** The node stops itself (SIGSTOP) between the two round trips of this transfer's batch. */
  readonly stopsNode?: boolean;
}

/** The outcome for a caller; a node that died sent none. */
export type Answer = Outcome<TransferPayload> | { readonly kind: "unanswered" };

export interface ForkedNode extends Omit<ChildNode<NodeTransfer, Answer>, "request">, AsyncDisposable {
  submit(transfer: NodeTransfer): Promise<Answer>;
}

export async function forkNode(url: string): Promise<ForkedNode> {
  const script = new URL("./node-process.ts", import.meta.url);
  const node = await forkChild<string, NodeTransfer, Outcome<TransferPayload>>(script, url);
  return {
    ...node,
    submit: async (transfer) => (await node.request(transfer)) ?? { kind: "unanswered" },
    [Symbol.asyncDispose]: node.kill,
  };
}
