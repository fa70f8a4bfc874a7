/** Deliveries to partners, their attempts, and sending again. */
import type { NotificationView } from "@titian/control/types";
import { useState } from "preact/hooks";
import { useAction } from "../../api/action.ts";
import { type Answer, call } from "../../api/call.ts";
import { act } from "../../api/control.ts";
import { isProduction } from "../../api/host.ts";
import { useControl } from "../../api/resource.ts";
import { useConfirm } from "../../design/confirm.tsx";
import { Button, SelectField, TextField } from "../../design/inputs.tsx";
import { Page, Panel } from "../../design/page.tsx";
import { errorText, Failure, Notice } from "../../design/states.tsx";
import type { Column } from "../../design/table.tsx";
import { When } from "../../design/time.tsx";
import { StateBadge, StatusBadge } from "../../design/word-badge.tsx";
import { hrefOf } from "../../routing/router.ts";
import { common } from "../../texts/common.ts";
import { sentenceOf } from "../../texts/sentence.ts";
import { shell } from "../../texts/shell.ts";
import { world } from "../../texts/world.ts";
import { ReceiverTest } from "../receiver/receiver-test.tsx";
import { dayFields, FilteredList, stateField, usePartnerField, useServiceField } from "./filtered-list.tsx";

const deliveryStates: readonly NotificationView["state"][] = ["waiting", "delivered", "dead", "kept"];
const pageOf = ({ notifications, next, count }: Answer<"GET /notifications">) => ({ rows: notifications, next, count });
const idOf = ({ externalId }: NotificationView) => externalId;

type Replay = { readonly dead: true } | { readonly referenceNo: string };

export function NotificationsPage() {
  const texts = world();
  const partner = usePartnerField();
  const service = useServiceField(({ notifiedBy }) => notifiedBy);
  const { run, isRunning, error, result } = useAction((body: Replay) =>
    act(call("POST /notifications/replay", { body })),
  );
  const { ask, dialog } = useConfirm();
  const askTo = (title: string, text: string, body: Replay): void =>
    ask({ title, text, action: texts.replay, onConfirm: () => run(body) });
  return (
    <Page
      title={shell().notifications}
      lead={texts.notificationsLead}
      actions={
        !isProduction() && (
          <Button isBusy={isRunning} onClick={() => askTo(texts.replayDead, texts.replayDeadText, { dead: true })}>
            {texts.replayDead}
          </Button>
        )
      }
    >
      {error && <Notice tone="bad">{errorText(error)}</Notice>}
      {result && (
        <Notice tone={result.reason ? "warn" : "good"}>
          {result.reason ? texts.noReplay[result.reason] : texts.replayed(result.replayed)}
        </Notice>
      )}
      <Panel isFlush>
        <FilteredList
          caption={shell().notifications}
          name="notifications"
          fields={[partner, service, stateField(deliveryStates, "state", texts.delivery), ...dayFields()]}
          callOf={(query) => call("GET /notifications", { query })}
          pageOf={pageOf}
          idOf={idOf}
          cursorName="cursor"
          pageMax="100"
          columns={columnsOf(({ referenceNo, partnerId }) =>
            askTo(`${texts.replay}: ${referenceNo}`, texts.replayText(referenceNo, partnerId), { referenceNo }),
          )}
          empty={{ title: texts.noNotifications, text: texts.noNotificationsText }}
        />
      </Panel>
      {!isProduction() && <Addresses />}
      {dialog}
    </Page>
  );
}

function columnsOf(replay: (notification: NotificationView) => void): readonly Column<NotificationView>[] {
  const texts = world();
  return [
    { head: common().time, cell: ({ createdAt }) => <When at={createdAt} kind="short" /> },
    { head: texts.service, cell: ({ serviceCode }) => serviceCode },
    {
      head: texts.about,
      cell: ({ referenceNo }) => (
        <a class="number" href={hrefOf(["record", referenceNo])}>
          {referenceNo}
        </a>
      ),
    },
    { head: common().partner, cell: ({ partnerId }) => partnerId },
    { head: texts.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { head: texts.delivery, cell: ({ state }) => <StateBadge state={state} /> },
    { head: texts.attempts, cell: (notification) => <Attempts notification={notification} /> },
    ...(isProduction() ? [] : [replayColumn(replay)]),
  ];
}

function replayColumn(replay: (notification: NotificationView) => void): Column<NotificationView> {
  const texts = world();
  return {
    head: texts.replay,
    isNumber: true,
    cell: (notification) => (
      <Button onClick={() => replay(notification)} label={`${texts.replay} ${notification.referenceNo}`}>
        {texts.replay}
      </Button>
    ),
  };
}

function Attempts({ notification: { attempts, attemptCount } }: { readonly notification: NotificationView }) {
  if (attemptCount === 0) return <span class="muted">–</span>;
  return (
    <details class="attempts">
      <summary>{world().showAttempts(attemptCount)}</summary>
      <ol class="stack-tight">
        {attempts.map((attempt) => (
          <li key={`${attempt.attempt} ${attempt.at}`} class="small">
            <Attempt attempt={attempt} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Attempt({ attempt }: { readonly attempt: NotificationView["attempts"][number] }) {
  const { at, url, durationMs, httpStatus, responseCode, failure, reply, explanation } = attempt;
  const outcome = [httpStatus !== undefined && `HTTP ${httpStatus}`, responseCode, failure, `${durationMs} ms`];
  return (
    <>
      <When at={at} kind="clock" /> {outcome.filter(Boolean).join(" · ")}
      <br />
      <span class="number muted">{url}</span>
      {reply !== undefined && reply !== "" && (
        <>
          <br />
          <span class="number">{reply}</span>
        </>
      )}
      {explanation && (
        <>
          <br />
          {sentenceOf(explanation)}
        </>
      )}
    </>
  );
}

function Addresses() {
  const texts = world();
  const { data, error: unread, reload } = useControl(call("GET /partners"));
  const [chosen, setChosen] = useState<string>();
  const [url, setUrl] = useState<string>();
  const partner = data?.partners.find(({ partnerId }) => partnerId === chosen) ?? data?.partners[0];
  const value = url ?? partner?.notificationAddress ?? "";
  const { run, isRunning, error, result } = useAction(async (partnerId: string, address: string) => {
    const body = { url: address === "" ? null : address };
    await act(call("PUT /partners/{partnerId}/notification-address", { params: { partnerId }, body }));
    return true;
  });
  if (unread && !data) {
    return (
      <Panel title={texts.address}>
        <Failure error={unread} onRetry={reload} />
      </Panel>
    );
  }
  if (!data || !partner) return null;
  const submit = (event: Event): void => {
    event.preventDefault();
    run(partner.partnerId, value.trim());
  };
  const choose = (partnerId: string): void => {
    setChosen(partnerId);
    setUrl(undefined);
  };
  return (
    <>
      <Panel title={texts.address} lead={texts.addressLead}>
        <form class="stack-tight" onSubmit={submit}>
          <div class="columns">
            <SelectField
              label={common().partner}
              value={partner.partnerId}
              onChange={choose}
              options={data.partners.map(({ partnerId }) => ({ value: partnerId, label: partnerId }))}
            />
            <TextField
              label={texts.url}
              type="url"
              value={value}
              onInput={setUrl}
              placeholder="http://127.0.0.1:9000/base"
              isCode
            />
          </div>
          <div>
            <Button type="submit" isBusy={isRunning}>
              {texts.save}
            </Button>
          </div>
          {error && <Notice tone="bad">{errorText(error)}</Notice>}
          {result && <Notice tone="good">{texts.saved}</Notice>}
        </form>
      </Panel>
      <ReceiverTest key={partner.partnerId} partnerId={partner.partnerId} />
    </>
  );
}
