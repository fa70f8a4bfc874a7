/** Where is my money, what is going on, and a first thing to do. */
import { useEffect } from "preact/hooks";
import { useLiveCalls } from "../../api/calls.ts";
import { isProduction } from "../../api/host.ts";
import { Icon } from "../../design/icons.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Empty, Failure, Skeleton } from "../../design/states.tsx";
import { searchIsShown } from "../../routing/focus-search.ts";
import { hrefOf } from "../../routing/router.ts";
import { search } from "../../texts/search.ts";
import { CallsTable } from "../calls/calls-table.tsx";
import { WaitingActs } from "./waiting-acts.tsx";
import { SearchForm } from "./search-form.tsx";

const shownMax = 8;
const examples = [
  "authPayment",
  "intrabankTransfer",
  "interbankTransfer",
  "interbankBulkTransfer",
  "requestForPayment",
] as const;

export function HomePage() {
  const texts = search();
  // Behind the effect of the page, which gives its heading the focus.
  useEffect(searchIsShown, []);
  return (
    <div class="home">
      <Page title={texts.title} lead={texts.lead}>
        <SearchForm />
        {isProduction() ? (
          <WaitingActs />
        ) : (
          <>
            <LatestCalls />
            <Examples />
          </>
        )}
      </Page>
    </div>
  );
}

function Examples() {
  const texts = search();
  return (
    <Panel title={texts.tryTitle} lead={texts.tryLead}>
      <div class="row">
        {examples.map((operation) => (
          <a key={operation} class="button" href={hrefOf(["try", operation])}>
            <Icon name="try" />
            {texts.examples[operation]}
          </a>
        ))}
      </div>
    </Panel>
  );
}

function LatestCalls() {
  const texts = search();
  const { calls, error } = useLiveCalls({}, false);
  return (
    <Panel title={texts.liveCalls} actions={<a href={hrefOf(["calls"])}>{texts.allCalls}</a>} isFlush>
      {!calls && error && <Failure error={error} />}
      {!calls && !error && (
        <div class="panel-body">
          <Skeleton lines={5} />
        </div>
      )}
      {calls?.length === 0 && (
        <Empty title={texts.noCallsTitle}>
          <p>{texts.noCallsText}</p>
          <a class="button primary" href={hrefOf(["try"])}>
            {texts.firstCall}
          </a>
        </Empty>
      )}
      {calls && calls.length > 0 && <CallsTable calls={calls.slice(0, shownMax)} />}
    </Panel>
  );
}
