/** Explanations of this node's recorded calls, made when somebody looks at them; and of calls in debug mode. */
import { type ExplainRejection, explanationLeftOut, type ObservedCall } from "@titian/server";
import type { PartnerSecrets } from "@titian/explain";
import type { RecordedCall } from "../calls/record-calls.ts";
import type { ExplainableCall } from "./call-evidence.ts";
import { type CallExplainer, createCallExplainer, type ExplainerDeps } from "./call-explainer.ts";
import type { Explanation } from "./explain-worker.ts";
import { bearerToken } from "@titian/contract";

export interface CallExplanations extends AsyncDisposable {
  /** Undefined: the service has no time for it now. */
  of(call: RecordedCall): Promise<Explanation | undefined>;
  /** As `of`, for the terminal: nobody waits for it, and much of it is given up under load. */
  ofIfIdle(call: RecordedCall): Promise<Explanation | undefined>;
  /** For `X-Debug-Mode: true`. */
  readonly debugMessage: ExplainRejection;
}

export interface ExplanationsDeps extends Pick<ExplainerDeps, "clock" | "paths" | "secrets"> {
  /** The first partners of the sandbox: whose keys a caller may have mixed up. */
  readonly firstPartners: () => readonly PartnerSecrets[];
  readonly findPartner: (partnerId: string) => PartnerSecrets | undefined;
  /** True when a key of the service signed the token, expired or not. */
  readonly wasIssuedHere: (token: string) => Promise<boolean>;
}

export function createCallExplanations({
  firstPartners,
  findPartner,
  wasIssuedHere,
  ...deps
}: ExplanationsDeps): CallExplanations {
  const explainer = createCallExplainer({ ...deps, knownFor });
  const made = new WeakMap<RecordedCall, Promise<Explanation | undefined>>();

  function knownFor(partnerId: string | undefined): readonly PartnerSecrets[] {
    const known = firstPartners();
    const caller = partnerId === undefined ? undefined : findPartner(partnerId);
    return caller === undefined || known.some(({ key }) => key === caller.key) ? known : [caller, ...known];
  }

  const withTokens = async (call: ExplainableCall): Promise<ExplainableCall> => ({
    ...call,
    tokensIssuedHere: await findIssuedTokens(call, wasIssuedHere),
  });
  const explain: CallExplainer["explain"] = async (call) => explainer.explain(await withTokens(call));
  const explainIfIdle: CallExplainer["explain"] = async (call) => explainer.explainIfIdle(await withTokens(call));

  /** Explains once: whoever asks while it is made waits for the same one; one that failed is made anew. */
  function once(call: RecordedCall, make: CallExplainer["explain"]): Promise<Explanation | undefined> {
    const known = made.get(call);
    if (known !== undefined) return known;
    const making = make(call).then((explained) => {
      if (typeof explained === "object") return explained;
      made.delete(call);
      return undefined;
    });
    made.set(call, making);
    return making;
  }

  return {
    of: (call) => once(call, explain),
    ofIfIdle: (call) => once(call, explainIfIdle),
    async debugMessage(call) {
      const explained = await explainIfIdle(call);
      if (typeof explained !== "object") return explained && explanationLeftOut;
      const { diagnosis, stringToSign } = explained.report;
      return call.rejectedAt === 7 && stringToSign !== undefined
        ? `${diagnosis.sentence} String to sign: ${stringToSign}`
        : diagnosis.sentence;
    },
    [Symbol.asyncDispose]: () => explainer[Symbol.asyncDispose](),
  };
}

type RefusedCall = Pick<ObservedCall, "rawHeaders" | "rejectedAt">;

const tokenStep = 4;
/** A call has one of each kind. */
const tokensMax = 4;

/** Tokens that the service's keys signed: only of those may be said that they expired. Undefined where no token was refused. */
async function findIssuedTokens(
  { rawHeaders, rejectedAt }: RefusedCall,
  wasIssuedHere: (token: string) => Promise<boolean>,
): Promise<readonly string[] | undefined> {
  if (rejectedAt !== tokenStep) return undefined;
  const headers = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^authorization(?:-customer)?$/i.test(rawHeaders[at - 1] ?? ""),
  );
  const tokens = headers.map((header) => bearerToken(header)).filter((token) => token !== undefined);
  const issued = await Promise.all(
    tokens.slice(0, tokensMax).map(async (token) => ((await wasIssuedHere(token)) ? token : undefined)),
  );
  return issued.filter((token) => token !== undefined);
}
