/** Operations as forms, bodies that work at once, and calls signed for a partner of the seed. */
import { array, object, type OperationRow, string } from "@titian/contract";
import { ControlError, defineCall, invalidField } from "@titian/control";
import { callableOperations, describeOperation, operationView } from "./operation-forms.ts";
import { sample, type SampleDeps, sampleOf } from "./samples.ts";
import { sign, type SignDeps, type Signer, signedRequest, signRequest } from "./sign-request.ts";
import { seededPartners } from "../seed-data.ts";

export interface OperationCallsDeps extends SampleDeps {
  readonly signing: SignDeps;
}

const ofPartner = string({ description: "the X-PARTNER-ID of a partner" });

export const operationCalls = [
  defineCall({
    name: "operation list",
    route: "GET /operations",
    role: "viewer",
    does: "What can be signed, in the order of the specification, with its fields as a form.",
    answer: object({ operations: array(operationView) }),
    run: () => ({ operations: callableOperations.map(describeOperation) }),
  }),
  defineCall({
    name: "operation sample",
    route: "GET /operations/{name}/sample",
    role: "viewer",
    does: "A body that works at once, about the partner's newest payment or transfer where it needs one; without one, `needs` says which operation comes first.",
    query: object({ partnerId: ofPartner }),
    answer: sample,
    run: async ({ params, query }, deps: OperationCallsDeps) => {
      const operation = findOperation(params.name);
      if (!operation) throw new ControlError(404, "unknownOperation", "There is no such operation.", "name");
      return sampleOf(deps, operation, findSigner(deps.signing, query.partnerId).partner);
    },
  }),
  defineCall({
    name: "sign",
    route: "POST /sign",
    role: "security",
    does: "The call as the partner would sign it now, and as a whole program for curl, sdk, php, go, java and python, with the partner's credentials in it. Send it within five minutes.",
    body: signRequest,
    answer: signedRequest,
    run: async ({ body }, { signing }: OperationCallsDeps) => {
      const operation = findOperation(body.operation);
      if (!operation) {
        throw invalidField("operation", "There is no such operation; GET /sandbox/operations lists them.");
      }
      return sign(signing, findSigner(signing, body.partnerId), operation, body);
    },
  }),
] as const;

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
