/** A call that this node does not remember: what is kept of it in the database. */
import { call } from "../../api/call.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Code, prettyJson } from "../../design/code.tsx";
import { Facts } from "../../design/facts.tsx";
import { Panel } from "../../design/page.tsx";
import { Unmask } from "../../design/personal.tsx";
import { Failure, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { hrefOf, tryAgainHref } from "../../routing/router.ts";
import { calls as callTexts } from "../../texts/calls.ts";
import { recordCalls } from "../../texts/record-calls.ts";

interface KeptCallProps {
  readonly id: string;
  /** Shown where nothing is kept either; absent: that it is not. */
  readonly error?: Parameters<typeof Failure>[0]["error"];
  readonly onRetry?: () => void;
}

export function KeptCall({ id, error, onRetry }: KeptCallProps) {
  const texts = callTexts();
  const { data, error: missing, reload } = useControl(call("GET /calls/{id}/kept", { params: { id } }));
  if (!data) {
    const failure = missing && <Failure error={error ?? missing} onRetry={onRetry ?? reload} />;
    return <Panel>{failure ?? <Skeleton lines={8} />}</Panel>;
  }
  const { serviceCode, operation, outcome, responseCode, partnerId, body, referenceNo } = data;
  return (
    <Panel title={texts.kept} lead={texts.keptLead}>
      <Facts
        facts={[
          [texts.businessTime, <When at={data.at} />],
          [texts.operation, `${serviceCode} ${operation}`],
          [texts.response, responseCode !== undefined && <ResponseBadge code={responseCode} />],
          [texts.partner, partnerId],
          [texts.address, data.address],
          ["X-CORRELATION-ID", <span class="number">{data.correlationId}</span>],
          [
            texts.toRecord,
            referenceNo !== undefined && (
              <a class="number" href={hrefOf(["record", referenceNo])}>
                {referenceNo}
              </a>
            ),
          ],
        ]}
      />
      {body !== undefined && (
        <div class="stack-tight">
          <Unmask number={id} shown={body} />
          <Code text={prettyJson(body)} label={texts.body} isWrapped />
          {data.canBeSentAgain && !isProduction() && (
            <div>
              <a class="button" href={tryAgainHref(operation, partnerId, body)}>
                {outcome === "accepted" ? recordCalls().againSameNumber : recordCalls().again}
              </a>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}
