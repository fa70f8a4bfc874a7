/** A call of any operation, by a form. */
import type { PartnerView } from "@titian/control/types";
import type { OperationView } from "@titian/sandbox/types";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { SelectField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Failure, Notice, Skeleton } from "../../design/states.tsx";
import { go, hrefOf, setQuery } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { descriptionOf, titleOf } from "../../texts/sentence.ts";
import { shell } from "../../texts/shell.ts";
import { tryIt } from "../../texts/try.ts";
import { useSample } from "./sample.ts";
import { Workbench } from "./workbench.tsx";

const firstOperation = "intrabankTransfer";

interface TryPageProps {
  readonly operation: string | undefined;
  readonly query: URLSearchParams;
}

export function TryPage({ operation = firstOperation, query }: TryPageProps) {
  const texts = tryIt();
  const operations = useControl(call("GET /operations"));
  const partners = useControl(call("GET /partners"));
  const row = operations.data?.operations.find(({ name }) => name === operation);
  const all = partners.data?.partners;
  const partner =
    all?.find(({ partnerId }) => partnerId === query.get("partner")) ?? all?.find(({ canSign }) => canSign);
  const error = operations.error ?? partners.error;
  return (
    <Page title={shell().try} lead={texts.lead}>
      {error && !row && <Failure error={error} onRetry={operations.reload} />}
      {!error && !row && !operations.data && <Skeleton lines={8} />}
      {operations.data && all && partner && (
        <>
          <Chooser operations={operations.data.operations} operation={operation} partners={all} partner={partner} />
          {row && <Prepared key={`${row.name} ${query}`} operation={row} partner={partner} />}
        </>
      )}
    </Page>
  );
}

interface ChooserProps {
  readonly operations: readonly OperationView[];
  readonly operation: string;
  readonly partners: readonly PartnerView[];
  readonly partner: PartnerView;
}

function Chooser({ operations, operation, partners, partner }: ChooserProps) {
  const texts = tryIt();
  const row = operations.find(({ name }) => name === operation);
  return (
    <Panel>
      <div class="stack-tight">
        <div class="columns">
          <SelectField
            label={texts.operation}
            value={operation}
            onChange={(name) => go(hrefOf(["try", name], { partner: partner.partnerId }))}
            options={operations.map((one) => ({ value: one.name, label: `${one.code} ${titleOf(one)}` }))}
          />
          <SelectField
            label={common().partner}
            value={partner.partnerId}
            onChange={(partnerId) => setQuery({ partner: partnerId, body: undefined, again: undefined })}
            options={partners.map(({ partnerId, signing }) => ({
              value: partnerId,
              label: `${partnerId} (${signing})`,
            }))}
          />
        </div>
        {row && <Description text={descriptionOf(row)} />}
        {!partner.canSign && <Notice tone="warn">{texts.cannotSign}</Notice>}
      </div>
    </Panel>
  );
}

/** Names of fields stand between backticks. */
function Description({ text }: { readonly text: string }) {
  const parts = text.split("`");
  return (
    <p class="muted">
      {parts.map((part, position) =>
        position % 2 === 0 ? (
          part
        ) : (
          <span key={position} class="mono">
            {part}
          </span>
        ),
      )}
    </p>
  );
}

/** The form with the sample values, when they are there. */
function Prepared({
  operation,
  partner: { partnerId },
}: {
  readonly operation: OperationView;
  readonly partner: PartnerView;
}) {
  const { data, error, reload } = useSample(operation.name, partnerId);
  if (!data) return error ? <Failure error={error} onRetry={reload} /> : <Skeleton lines={8} />;
  return <Workbench operation={operation} partnerId={partnerId} sample={data} onReset={reload} />;
}
