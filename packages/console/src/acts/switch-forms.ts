/** Forms of acts on rails, services and the intake: closed at once, opened again by an approval. */
import type { SwitchView } from "@titian/control/types";
import { call } from "../api/call.ts";
import { language } from "../preferences.ts";
import { common } from "../texts/common.ts";
import { forms } from "../texts/operations/forms.ts";
import { world } from "../texts/world.ts";
import { word } from "../texts/words.ts";
import type { ActForm } from "./form.ts";

/** Name of a rail, service or the intake, for people. */
export function switchName({ name, title = "", titleTranslations }: SwitchView): string {
  const [kind, of = ""] = name.split(":");
  if (kind === "intake") return forms().intake;
  if (kind === "rail") return forms().rail(word("rails", of));
  return forms().service(of, language.value === "id" ? (titleTranslations?.id ?? title) : title);
}

export function switchForm(view: SwitchView): ActForm {
  const { name, closed } = view;
  const texts = forms();
  const isOpen = closed === null || closed === undefined;
  const own = isOpen ? texts.kinds.closeSwitch : texts.kinds.reopenSwitch;
  const route = isOpen ? "POST /switches/{name}/close" : "POST /switches/{name}/reopen";
  const [before, after] = isOpen
    ? [world().openNow, texts.closedByOperator]
    : [texts.closedByOperator, world().openNow];
  const effect =
    name === "intake" ? texts.effects.intake : name.startsWith("rail:") ? texts.effects.rail : texts.effects.service;
  return {
    route,
    action: own.action,
    label: `${own.action}: ${switchName(view)}`,
    title: `${own.action}: ${switchName(view)}`,
    means: isOpen ? effect : own.means,
    isGrave: isOpen,
    isAtOnce: isOpen,
    fields: [],
    changes: () => [{ name: common().state, before, after }],
    callOf: (_, words) => call(route, { params: { name }, body: words }),
  };
}
