/** Parts of operators' acts that several pages show. */
import type { ActView, OpenActView } from "@titian/control/types";
import { Badge } from "../design/badge.tsx";
import { Panel } from "../design/page.tsx";
import { isMasked } from "../design/personal.tsx";
import { When } from "../design/time.tsx";
import { language } from "../preferences.ts";
import type { ActPlace } from "../api/control.ts";
import { hrefOf } from "../routing/router.ts";
import { acts } from "../texts/acts.ts";
import { toneOf, word } from "../texts/words.ts";

export function ActBadge({ state }: { readonly state: string }) {
  return <Badge tone={toneOf("acts", state)}>{word("acts", state)}</Badge>;
}

export function doesOf({ does, doesTranslations }: Pick<ActView, "does" | "doesTranslations">): string {
  return language.value === "id" ? doesTranslations.id : does;
}

/** `cell`: the further one that has the act. */
export const actHref = ({ actId, cell }: ActPlace) => hrefOf(["world", "acts", actId], { cell: cell?.toString() });

/** The person of an identity, which is an issuer and a subject. */
export function personText(identity: string): string {
  const [issuer = "", ...subject] = identity.split(" ");
  return subject.length === 0 ? issuer : `${subject.join(" ")} (${issuer})`;
}

/** Meaning of its state, as a sentence. */
export function meaningOf({ state, isAtOnce }: Pick<ActView, "state" | "isAtOnce">): string {
  const texts = acts();
  if (isAtOnce && (state === "proposed" || state === "refused")) return texts.meansAtOnce[state];
  return texts.means[state];
}

/** True: its target is an account or a transfer, which has a page. */
const isOfRecord = (kind: string): boolean =>
  isOfTransfer(kind) ||
  [
    "opening",
    "accountOpening",
    "funding",
    "withdrawal",
    "correction",
    "blocking",
    "accountChange",
    "accountMove",
  ].includes(kind);

export const isOfTransfer = (kind: string): boolean => ["resolution", "return", "adoption"].includes(kind);

/** To the account or transfer that it is on. */
export function TargetLink({ act: { kind, target } }: { readonly act: Pick<ActView, "kind" | "target"> }) {
  if (!isOfRecord(kind) || isMasked(target)) return <span class="number">{target}</span>;
  return (
    <a class="number" href={hrefOf(isOfTransfer(kind) ? ["record", target] : ["world", "accounts", target])}>
      {target}
    </a>
  );
}

/** On the page of a record: what waits there. */
export function OpenAct({ act }: { readonly act: OpenActView }) {
  const texts = acts();
  return (
    <Panel title={`${texts.openOn}: ${word("actKinds", act.kind)}`} actions={<ActBadge state={act.state} />}>
      <div class="stack-tight">
        <p>{doesOf(act)}.</p>
        <p class="muted small">
          {texts.proposedBy} {personText(act.proposedBy)}, <When at={act.proposedAt} /> · {texts.reason}: {act.reason}
        </p>
        <p>
          {meaningOf(act)} <a href={actHref(act)}>{texts.show}</a>
        </p>
      </div>
    </Panel>
  );
}
