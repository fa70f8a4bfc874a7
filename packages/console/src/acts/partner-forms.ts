/** Forms of acts on a partner: its life and its terms, each kind a row. */
import type { PartnerDetailsView } from "@titian/control/types";
import { call } from "../api/call.ts";
import { common } from "../texts/common.ts";
import { forms } from "../texts/operations/forms.ts";
import { partners } from "../texts/operations/partners.ts";
import { word } from "../texts/words.ts";
import { additionForms } from "./credential-forms.ts";
import { type ActForm, differing, type FormField, type FormValues } from "./form.ts";

type Partner = PartnerDetailsView;

/** Forms that the partner's state leaves. */
export function partnerForms(partner: Partner): readonly ActForm[] {
  if (partner.status === "retired") return [];
  return [
    lifeForm(partner, partner.status === "active" ? "suspendPartner" : "resumePartner"),
    termsForm(partner),
    ...additionForms(partner),
    lifeForm(partner, "retirePartner"),
  ];
}

const lives = {
  suspendPartner: { route: "POST /partners/{partnerId}/suspend", status: "suspended" },
  resumePartner: { route: "POST /partners/{partnerId}/resume", status: "active" },
  retirePartner: { route: "POST /partners/{partnerId}/retire", status: "retired" },
} as const;

function lifeForm({ partnerId, name, status: before }: Partner, kind: keyof typeof lives): ActForm {
  const { route, status } = lives[kind];
  const own = forms().kinds[kind];
  return {
    route,
    ...own,
    title: `${own.action}: ${name} (${partnerId})`,
    isGrave: kind !== "resumePartner",
    isAtOnce: kind === "suspendPartner",
    fields: [],
    changes: () => [{ name: common().state, before: word("states", before), after: word("states", status) }],
    callOf: (_, words) => call(route, { params: { partnerId }, body: words }),
  };
}

/** Fields of terms with what they are now; a list has commas between its members. */
function termFields({ name, services, rateLimit, notificationAddress, addresses, notificationNetworks }: Partner) {
  const texts = partners();
  const list = (of: readonly string[]) => of.join(", ");
  return [
    { name: "name", label: texts.name, kind: "text", initial: name },
    { name: "services", label: texts.services, hint: texts.listHint, kind: "text", initial: list(services) },
    {
      name: "rateLimit",
      label: texts.rate,
      hint: texts.rateHint,
      kind: "number",
      initial: rateLimit == null ? "" : String(rateLimit.perSecond),
    },
    {
      name: "burst",
      label: texts.burst,
      hint: texts.burstHint,
      kind: "number",
      initial: rateLimit == null ? "" : String(rateLimit.burst),
    },
    { name: "notificationAddress", label: texts.notificationAddress, kind: "text", initial: notificationAddress ?? "" },
    { name: "addresses", label: texts.addresses, hint: texts.listHint, kind: "text", initial: list(addresses) },
    {
      name: "notificationNetworks",
      label: texts.networks,
      hint: texts.listHint,
      kind: "text",
      initial: list(notificationNetworks),
    },
  ] as const satisfies readonly FormField[];
}

const mandatory: ReadonlySet<string> = new Set(["name", "services"]);

const listOf = (text: string): readonly string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

function termsForm(partner: Partner): ActForm {
  const { partnerId, name } = partner;
  const own = forms().kinds.changeTerms;
  const fields = termFields(partner);
  return {
    route: "PUT /partners/{partnerId}/settings",
    ...own,
    title: `${own.action}: ${name} (${partnerId})`,
    fields: fields.map((field) => ({ ...field, isOptional: !mandatory.has(field.name) })),
    changes: (given) =>
      differing(
        fields.map((field) => ({
          name: field.label,
          before: field.initial || common().none,
          after: given[field.name] || common().none,
        })),
      ),
    callOf: (given, words) => {
      const isChanged = (...names: readonly string[]) =>
        fields.some((field) => names.includes(field.name) && given[field.name] !== field.initial);
      const { name: named = "", notificationAddress = "" } = given;
      const body = {
        ...(isChanged("name") && { name: named }),
        ...(isChanged("services") && { services: listOf(given["services"] ?? "") }),
        ...(isChanged("rateLimit", "burst") && { rateLimit: rateOf(given) }),
        ...(isChanged("notificationAddress") && { notificationAddress: notificationAddress || null }),
        ...(isChanged("addresses") && { addresses: listOf(given["addresses"] ?? "") }),
        ...(isChanged("notificationNetworks") && {
          notificationNetworks: listOf(given["notificationNetworks"] ?? ""),
        }),
      };
      return call("PUT /partners/{partnerId}/settings", { params: { partnerId }, body: { ...body, ...words } });
    },
  };
}

function rateOf({ rateLimit = "", burst = "" }: FormValues) {
  if (rateLimit === "") return null;
  return { perSecond: Number(rateLimit), ...(burst !== "" && { burst: Number(burst) }) };
}
