/** Operations as forms, bodies that work at once, and calls signed for a partner of the seed. */
import { anyOf, object, type OperationRow, optional, record, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import {
  ControlError,
  invalidField,
  type OperationsAnswer,
  readBody,
  readQuery,
  type SampleAnswer,
  type SignedRequest,
} from "@titian/control";
import { callableOperations, describeOperation } from "./operation-forms.ts";
import { type SampleDeps, sampleOf } from "./samples.ts";
import { type SignDeps, type Signer, signRequest } from "./sign-request.ts";
import { seededPartners } from "../seed-data.ts";

export interface OperationCallsDeps extends SampleDeps {
  readonly signing: SignDeps;
}

const SampleQuery = object({ partnerId: string({ description: "the X-PARTNER-ID of a partner" }) });
const SignBody = object({
  partnerId: string({ description: "the X-PARTNER-ID of a partner" }),
  operation: string({ description: "the name of an operation" }),
  body: anyOf([record({}), string()], { description: "an object or a text" }),
  externalId: optional(
    string({ pattern: "^[\\x21-\\x7e]{1,64}$", description: "a text of 1 to 64 visible ASCII characters" }),
  ),
  customerToken: optional(string({ pattern: "^[\\x21-\\x7e]{1,2048}$", description: "an access token of service 74" })),
});

interface OperationPath {
  readonly Params: { readonly name: string };
}

export function serveOperationCalls(app: FastifyInstance, deps: OperationCallsDeps): void {
  const { signing } = deps;
  const forms = callableOperations.map(describeOperation);
  app.get("/operations", async (): Promise<OperationsAnswer> => ({ operations: forms }));
  app.get<OperationPath>("/operations/:name/sample", async ({ params, query }): Promise<SampleAnswer> => {
    const operation = findOperation(params.name);
    if (!operation) throw new ControlError(404, "unknownOperation", "There is no such operation.", "name");
    return sampleOf(deps, operation, findSigner(signing, readQuery(SampleQuery, query).partnerId).partner);
  });
  app.post("/sign", async ({ body }): Promise<SignedRequest> => {
    const given = readBody(SignBody, body);
    const operation = findOperation(given.operation);
    if (!operation) throw invalidField("operation", "There is no such operation; GET /sandbox/operations lists them.");
    return signRequest(signing, findSigner(signing, given.partnerId), operation, given);
  });
}

function findOperation(name: string): OperationRow | undefined {
  return callableOperations.find((one) => one.name === name);
}

/** A partner whose own keys the sandbox has. */
function findSigner({ keys: all, byPartnerId }: SignDeps, partnerId: string): Signer {
  const credentials = byPartnerId(partnerId);
  if (!credentials) throw new ControlError(404, "unknownPartner", "There is no such partner.", "partnerId");
  const partner = seededPartners.find((one) => one.partnerId === partnerId);
  const keys = all[partnerId];
  if (partner && keys) return { partner, credentials, keys };
  const message = "The sandbox has the keys of the partners of sandbox.json only: sign this partner's calls yourself.";
  throw new ControlError(409, "noKeys", message, "partnerId");
}
