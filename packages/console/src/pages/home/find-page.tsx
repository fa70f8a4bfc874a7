/** Matches of a number: a single one is shown at once, of several one is chosen. */
import type { Match } from "@titian/control/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { useControl } from "../../api/resource.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { Empty, Failure, Skeleton } from "../../design/states.tsx";
import { When } from "../../design/time.tsx";
import { ResponseBadge, StateBadge } from "../../design/word-badge.tsx";
import { hrefOf, setQuery } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { search } from "../../texts/search.ts";
import { shell } from "../../texts/shell.ts";
import { word } from "../../texts/words.ts";
import { SearchForm } from "./search-form.tsx";

interface FindPageProps {
  readonly number: string;
  readonly partnerId: string;
}

export function FindPage({ number, partnerId }: FindPageProps) {
  const texts = search();
  const query = { number, ...(partnerId !== "" && { partnerId }) };
  const { data, error, reload } = useControl(call("GET /search", { query }));
  const only = data?.matches.length === 1 ? data.matches[0] : undefined;
  const target = only && hrefOfMatch(only, number);
  const shown = target === undefined ? (data?.matches ?? []) : [];
  useEffect(() => {
    if (target !== undefined) location.replace(target);
  }, [target]);
  return (
    <Page
      title={texts.resultsTitle(number)}
      back={{ href: hrefOf([]), label: shell().home }}
      lead={data && data.matches.length > 0 && texts.resultsLead(data.matches.length)}
    >
      <SearchForm key={number} initial={number} />
      {error && <Failure error={error} onRetry={reload} />}
      {((!data && !error) || target !== undefined) && <Skeleton lines={4} />}
      {data?.needsPartner && <ChoosePartner partnerId={partnerId} />}
      {data?.matches.length === 0 && (
        <Panel>
          <Empty title={texts.nothingTitle}>
            <p>{texts.nothingText}</p>
            <a class="button" href={hrefOf(["calls"])}>
              {texts.toCalls}
            </a>
          </Empty>
        </Panel>
      )}
      <ul class="stack-tight">
        {shown.map((match, position) => (
          <li key={position}>
            <MatchCard match={match} number={number} />
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** Among very many partners a number that one of them gave is looked for with its name. */
function ChoosePartner({ partnerId }: { readonly partnerId: string }) {
  const [name, setName] = useState(partnerId);
  const submit = (event: Event): void => {
    event.preventDefault();
    setQuery({ partner: name.trim() });
  };
  return (
    <form class="row-end" onSubmit={submit}>
      <TextField label={common().partner} hint={search().needsPartner} value={name} onInput={setName} isCode />
      <Button type="submit">{search().submit}</Button>
    </form>
  );
}

/** Undefined: a rejected request, of which there is no more than its card. */
function hrefOfMatch({ kind, accountNo, referenceNo, matchedBy }: Match, number: string): string | undefined {
  if (kind === "account" && accountNo !== undefined) return hrefOf(["world", "accounts", accountNo]);
  if (referenceNo === undefined) return undefined;
  return hrefOf(["record", referenceNo], { number, by: matchedBy });
}

function MatchCard({ match, number }: { readonly match: Match; readonly number: string }) {
  const texts = search();
  const href = hrefOfMatch(match, number);
  const { kind, name, amount, currency, state, at, partnerId, accountNo, referenceNo, serviceCode } = match;
  return (
    <article class="panel match">
      <div class="match-text">
        <div class="row">
          <h2>
            {href === undefined ? (
              <KindTitle match={match} />
            ) : (
              <a href={href}>
                <KindTitle match={match} />
              </a>
            )}
          </h2>
          {state !== undefined && <StateBadge state={state} />}
          {match.responseCode !== undefined && <ResponseBadge code={match.responseCode} />}
        </div>
        <p class="muted small">
          {texts.foundBy(word("numbers", match.matchedBy))}
          {partnerId !== undefined && ` · ${partnerId}`}
          {serviceCode !== undefined && ` · ${serviceCode}`}
          {kind !== "account" && accountNo !== undefined && ` · ${accountNo}`}
          {name !== undefined && ` · ${name}`}
        </p>
        {match.responseMessage !== undefined && <p>{match.responseMessage}</p>}
        {referenceNo !== undefined && <p class="number muted">{referenceNo}</p>}
      </div>
      <div class="match-side">
        {amount !== undefined && (
          <strong>
            <Amount value={amount} {...(currency !== undefined && { currency })} />
          </strong>
        )}
        {at !== undefined && (
          <span class="muted small">
            <When at={at} />
          </span>
        )}
      </div>
    </article>
  );
}

function KindTitle({ match: { kind, accountNo } }: { readonly match: Match }) {
  return <>{kind === "account" ? `${word("kinds", kind)} ${accountNo ?? ""}` : word("kinds", kind)}</>;
}
