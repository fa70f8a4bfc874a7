/** Events, in order. */
import type { TimelineEvent } from "@titian/control/types";
import type { ComponentChildren } from "preact";
import { Amount } from "../../design/money.tsx";
import { When } from "../../design/time.tsx";
import { ResponseBadge, StateBadge } from "../../design/word-badge.tsx";
import { isMasked } from "../../design/personal.tsx";
import { hrefOf } from "../../routing/router.ts";
import { acts } from "../../texts/acts.ts";
import { common } from "../../texts/common.ts";
import { record } from "../../texts/record.ts";
import { sentenceOf } from "../../texts/sentence.ts";
import { type Tone, word } from "../../texts/words.ts";
import { actHref, doesOf } from "../../acts/act-parts.tsx";

const tones: Partial<Record<TimelineEvent["kind"], Tone>> = {
  settled: "good",
  captured: "good",
  approved: "good",
  ended: "good",
  rejected: "bad",
  declined: "bad",
  returned: "warn",
  expired: "warn",
  actRefused: "bad",
  actExpired: "warn",
  actRejected: "warn",
};

type Step = NonNullable<TimelineEvent["act"]>;

interface EventsProps {
  readonly events: readonly TimelineEvent[];
  readonly currency: string;
}

export function Events({ events, currency }: EventsProps) {
  return (
    <ol class="timeline">
      {events.map((event, position) => (
        <li key={position} class={`event ${toneOf(event)}`}>
          <EventBody event={event} currency={currency} />
        </li>
      ))}
    </ol>
  );
}

function toneOf({ kind, failure, httpStatus }: TimelineEvent): Tone {
  if (kind !== "delivery") return tones[kind] ?? "plain";
  return failure === undefined && httpStatus !== undefined && httpStatus < 300 ? "good" : "bad";
}

function EventBody({ event, currency }: { readonly event: TimelineEvent; readonly currency: string }) {
  const texts = record();
  return (
    <>
      <div class="event-head">
        <strong>{texts.events[event.kind]}</strong>
        {event.amount !== undefined && <Amount value={event.amount} currency={currency} />}
        {event.responseCode !== undefined && <ResponseBadge code={event.responseCode} />}
        {event.state !== undefined && <StateBadge state={event.state} />}
      </div>
      <Small event={event} />
      {event.failure !== undefined && event.reply !== undefined && event.reply !== "" && (
        <p class="small">
          {texts.reply}: <span class="number">{event.reply}</span>
        </p>
      )}
      {event.act && <ActStep step={event.act} />}
      {event.explanation && <p class="small">{sentenceOf(event.explanation)}</p>}
      {event.referenceNo !== undefined && <p class="number muted">{event.referenceNo}</p>}
      {event.postings.length > 0 && <Postings event={event} currency={currency} />}
    </>
  );
}

/** The small print of an event; none where nothing of it is known, as of a time that is recorded nowhere. */
function Small({ event }: { readonly event: TimelineEvent }) {
  const { at, nextAt } = event;
  const parts: readonly ComponentChildren[] = [
    ...(at === undefined ? [] : [<When at={at} />]),
    ...factsOf(event),
    ...(nextAt === undefined ? [] : [[`${record().nextAt} `, <When at={nextAt} />]]),
  ];
  if (parts.length === 0) return null;
  return <p class="muted small">{parts.map((part, position) => [position > 0 && " · ", part])}</p>;
}

/** The small print, part by part. */
function factsOf(event: TimelineEvent): readonly string[] {
  const texts = record();
  const facts = [
    event.act?.who ??
      (event.by !== undefined && event.by !== "partner" && event.by !== "service" && texts.by[event.by]),
    event.serviceCode && `${texts.service} ${event.serviceCode}`,
    event.rail && word("rails", event.rail),
    event.partnerReferenceNo,
    event.externalId && `${common().externalId} ${event.externalId}`,
    event.traceNo,
    event.captureNo,
    event.count !== undefined && texts.times(event.count),
    event.status && `${event.status} ${word("statuses", event.status)}`,
    event.attempt !== undefined && texts.attempt(event.attempt),
    event.httpStatus !== undefined && `HTTP ${event.httpStatus}`,
    event.durationMs !== undefined && `${event.durationMs} ms`,
    event.url,
    event.failure,
    event.responseMessage,
  ];
  return facts.filter((fact) => typeof fact === "string");
}

function ActStep({ step }: { readonly step: Step }) {
  const { does, doesTranslations, reason } = step;
  const texts = acts();
  return (
    <>
      {does !== undefined && doesTranslations && (
        <p class="small">
          {doesOf({ does, doesTranslations })}. <a href={actHref(step)}>{texts.show}</a>
        </p>
      )}
      {reason !== undefined && (
        <p class="small">
          {texts.reason}: {reason}
        </p>
      )}
    </>
  );
}

function Postings({ event: { postings }, currency }: { readonly event: TimelineEvent; readonly currency: string }) {
  return (
    <ul class="postings">
      {postings.map((posting, position) => (
        <li key={position}>
          <span>{word("postings", posting.kind)}</span>
          <span class="number">
            <AccountLink accountNo={posting.fromAccountNo} /> → <AccountLink accountNo={posting.toAccountNo} />
          </span>
          <Amount value={posting.amount} currency={currency} />
        </li>
      ))}
    </ul>
  );
}

interface AccountLinkProps {
  readonly accountNo: string;
  readonly accountId?: string | undefined;
}

/** One whose number is masked is found by its id alone. */
export function AccountLink({ accountNo, accountId }: AccountLinkProps) {
  const named = isMasked(accountNo) ? accountId : accountNo;
  if (named === undefined) return <span class="number">{accountNo}</span>;
  return (
    <a class="number" href={hrefOf(["world", "accounts", named])}>
      {accountNo}
    </a>
  );
}
