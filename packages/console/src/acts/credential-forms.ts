/** Forms of acts on a partner's keys and secrets, and of its onboarding with the first ones. */
import type { PartnerDetailsView } from "@titian/control/types";
import { call } from "../api/call.ts";
import { common } from "../texts/common.ts";
import { forms } from "../texts/operations/forms.ts";
import { partners } from "../texts/operations/partners.ts";
import type { ActForm, FormField } from "./form.ts";

type Partner = PartnerDetailsView;
type Credential = Partner["credentials"][number];

/** A secret that nobody guesses, in characters that every program takes. */
const newSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(24))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const secretField = (): FormField => {
  const { secret, secretHint } = partners();
  return { name: "secret", label: secret, hint: secretHint, kind: "text", initial: newSecret() };
};

const keyField = (): FormField => ({ name: "publicKey", label: partners().publicKey, kind: "lines" });

const daySeconds = 86_400;
const overlapSeconds = { week: 7 * daySeconds, none: 0, day: daySeconds, month: 30 * daySeconds } as const;
type Overlap = keyof typeof overlapSeconds;

const overlapField = (): FormField => {
  const { overlap, overlaps } = partners();
  const options = Object.keys(overlapSeconds).map((value) => ({ value, label: overlaps[value as Overlap] }));
  return { name: "overlapSeconds", label: overlap, kind: "choice", options };
};

const overlapOf = (text = ""): Overlap => (Object.hasOwn(overlapSeconds, text) ? (text as Overlap) : "week");

/** A secret, or a public key, beside those that there are. */
export function additionForms({ partnerId, name, credentials }: Partner): readonly ActForm[] {
  const texts = partners();
  const formOf = (kind: Credential["kind"]): ActForm => {
    const isSecret = kind === "secret";
    const own = isSecret ? forms().kinds.addSecret : forms().kinds.addKey;
    const valid = credentials.filter((one) => one.kind === kind && one.state !== "expired").length;
    return {
      route: isSecret ? "POST /partners/{partnerId}/secrets" : "POST /partners/{partnerId}/keys",
      ...own,
      title: `${own.action}: ${name} (${partnerId})`,
      fields: [isSecret ? secretField() : keyField(), overlapField()],
      changes: (given) => [
        {
          name: texts.kinds[kind],
          before: texts.valid(valid),
          after: texts.withOverlap(valid + 1, texts.overlaps[overlapOf(given["overlapSeconds"])]),
        },
      ],
      callOf: ({ secret = "", publicKey = "", overlapSeconds: chosen }, words) => {
        const body = { overlapSeconds: overlapSeconds[overlapOf(chosen)], ...words };
        const params = { partnerId };
        return isSecret
          ? call("POST /partners/{partnerId}/secrets", { params, body: { secret, ...body } })
          : call("POST /partners/{partnerId}/keys", { params, body: { publicKey: `${publicKey}\n`, ...body } });
      },
    };
  };
  return [formOf("secret"), formOf("publicKey")];
}

/** Ends one key or secret; the last one of its kind stays. */
export function retirementForms(partner: Partner, { id, kind, state }: Credential): readonly ActForm[] {
  const { partnerId, name, credentials } = partner;
  const others = credentials.filter((one) => one.kind === kind && one.id !== id && one.state !== "expired");
  if (others.length === 0) return [];
  const texts = partners();
  const own = forms().kinds.retireCredential;
  const route =
    kind === "secret"
      ? "POST /partners/{partnerId}/secrets/{credentialId}/retire"
      : "POST /partners/{partnerId}/keys/{credentialId}/retire";
  const form: ActForm = {
    route,
    ...own,
    label: `${own.action}: ${texts.kinds[kind]} ${id}`,
    title: `${own.action}: ${texts.kinds[kind]} ${id}, ${name} (${partnerId})`,
    isGrave: true,
    fields: [],
    changes: () => [{ name: common().state, before: texts.states[state], after: texts.states.expired }],
    callOf: (_, words) => call(route, { params: { partnerId, credentialId: id }, body: words }),
  };
  return [form];
}

/** Onboarding of a partner, which has no page yet. */
export function onboardingForm(): ActForm {
  const texts = partners();
  const own = forms().kinds.addPartner;
  const signings = (["symmetric", "asymmetric"] as const).map((value) => ({
    value,
    label: texts.signingNames[value],
  }));
  return {
    route: "PUT /partners/{partnerId}",
    ...own,
    title: own.action,
    fields: [
      { name: "partnerId", label: texts.partnerId, kind: "text" },
      { name: "name", label: texts.name, kind: "text" },
      { name: "channelId", label: texts.channelId, kind: "text" },
      { name: "signing", label: texts.signing, kind: "choice", options: signings },
      { ...secretField(), isOptional: true },
      keyField(),
    ],
    changes: ({ partnerId = "", name = "" }) => [
      { name: common().partner, before: common().none, after: [partnerId, name].filter(Boolean).join(": ") || "–" },
    ],
    callOf: ({ partnerId = "", name = "", channelId = "", signing, secret = "", publicKey = "" }, words) =>
      call("PUT /partners/{partnerId}", {
        params: { partnerId },
        body: {
          name,
          channelId,
          signing: signing === "asymmetric" ? signing : "symmetric",
          secrets: secret === "" ? [] : [secret],
          publicKeys: [`${publicKey}\n`],
          ...words,
        },
      }),
  };
}
