/** Records that have what was searched for: a single one is shown at once, of several one is chosen. */
import type { Match } from "@titian/control/types";
import { useEffect, useId, useState } from "preact/hooks";
import { call } from "../../api/call.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { Button, TextField } from "../../design/inputs.tsx";
import { Amount } from "../../design/money.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { isMasked } from "../../design/personal.tsx";
import { Empty, Failure, Skeleton } from "../../design/states.tsx";
import { timeText, When } from "../../design/time.tsx";
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
  const cards = cardsOf(target === undefined ? (data?.matches ?? []) : []);
  useEffect(() => {
    if (target !== undefined) location.replace(target);
  }, [target]);
  return (
    <Page
      title={texts.resultsTitle(number)}
      back={{ href: hrefOf([]), label: shell().home }}
      lead={cards.length > 0 && texts.resultsLead(cards.length)}
    >
      <SearchForm key={number} initial={number} />
      {error && <Failure error={error} onRetry={reload} />}
      {((!data && !error) || target !== undefined) && <Skeleton lines={4} />}
      {data?.missingSince !== undefined && (
        <p class="muted">{texts.missingSince(timeText(data.missingSince, "minute"))}</p>
      )}
      {data?.needsPartner && <ChoosePartner partnerId={partnerId} />}
      {data?.matches.length === 0 && (
        <Panel>
          <Empty title={texts.nothingTitle}>
            {data.unknownWords.length > 0 && (
              <p>{texts.nothingHas(data.unknownWords.map((unknown) => `“${unknown}”`).join(` ${texts.or} `))}</p>
            )}
            <p>{texts.nothingText}</p>
            {!isProduction() && (
              <a class="button" href={hrefOf(["calls"])}>
                {texts.toCalls}
              </a>
            )}
          </Empty>
        </Panel>
      )}
      {[...Map.groupBy(cards, ({ match }) => match.kind)].map(([kind, ofKind]) => (
        <Group key={kind} kind={kind} cards={ofKind} number={number} />
      ))}
      {data?.hasMore && target === undefined && <p class="muted">{texts.hasMore}</p>}
    </Page>
  );
}

interface Card {
  readonly match: Match;
  /** Call of the correlation id that was searched for, which is about the match. */
  readonly about?: Match | undefined;
}

/** A correlation id is shown as one card: the record, or the rejected request, with its call. */
function cardsOf(matches: readonly Match[]): readonly Card[] {
  const [match, about, ...others] = matches;
  const isOfCall = match !== undefined && match.kind !== "call" && about?.kind === "call";
  if (isOfCall && others.length === 0) return [{ match, about }];
  return matches.map((one) => ({ match: one }));
}

interface GroupProps {
  readonly kind: Match["kind"];
  readonly cards: readonly Card[];
  readonly number: string;
}

function Group({ kind, cards, number }: GroupProps) {
  const id = useId();
  return (
    <section class="stack-tight" aria-labelledby={id}>
      <h2 id={id}>
        {search().groups[kind]} <span class="muted">{cards.length}</span>
      </h2>
      <ul class="stack-tight">
        {cards.map((card, position) => (
          <li key={position}>
            <MatchCard {...card} number={number} />
          </li>
        ))}
      </ul>
    </section>
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

/** Undefined: a rejected request whose call was not kept, of which there is no more than its card. */
function hrefOfMatch(match: Match, number: string, isOneOfMany = false): string | undefined {
  const { kind, accountNo, accountId, referenceNo, matchedBy, correlationId } = match;
  if (correlationId !== undefined) return hrefOf(["calls", correlationId]);
  if (kind === "account" && accountNo !== undefined) {
    return hrefOf(["world", "accounts", isMasked(accountNo) ? (accountId ?? accountNo) : accountNo]);
  }
  if (referenceNo === undefined) return undefined;
  return hrefOf(["record", referenceNo], { number, by: matchedBy, of: isOneOfMany ? "many" : undefined });
}

function MatchCard({ match, about, number }: Card & { readonly number: string }) {
  const texts = search();
  const toCall = about && hrefOfMatch(about, number);
  const href = hrefOfMatch(match, number, true) ?? toCall;
  const responseCode = match.responseCode ?? about?.responseCode;
  const { kind, name, amount, currency, state, at, partnerId, accountNo, referenceNo, serviceCode } = match;
  const title = (kind === "account" ? accountNo : name) ?? word("kinds", kind);
  return (
    <article class="panel match">
      <div class="match-text">
        <div class="row">
          <h3>{href === undefined ? title : <a href={href}>{title}</a>}</h3>
          {state !== undefined && <StateBadge state={state} />}
          {responseCode !== undefined && <ResponseBadge code={responseCode} />}
        </div>
        <p class="muted small">
          {texts.foundBy(match.reasons.map(reasonText).join(", "))}
          {partnerId !== undefined && ` · ${partnerId}`}
          {serviceCode !== undefined && ` · ${serviceCode}`}
          {kind !== "account" && accountNo !== undefined && ` · ${accountNo}`}
          {kind === "account" && name !== undefined && ` · ${name}`}
        </p>
        {match.responseMessage !== undefined && <p>{match.responseMessage}</p>}
        {referenceNo !== undefined && <p class="number muted">{referenceNo}</p>}
        {toCall !== undefined && (
          <p>
            <a href={toCall}>{texts.openCall}</a> <span class="number muted">{about?.correlationId}</span>
          </p>
        )}
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

/** Such as "amount on Wed, 25 Nov 2026". */
function reasonText({ by, day }: Match["reasons"][number]): string {
  const what = word("numbers", by);
  return day === undefined ? what : search().onDay(what, timeText(`${day}T00:00:00+07:00`, "day"));
}
