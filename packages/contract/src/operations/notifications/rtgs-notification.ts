/** Code 76: the final result of a transfer by 22. The reply is the envelope alone. */
import { defineOperation } from "../../operation.ts";
import { rtgsExample, settlementExample } from "../../shapes/clearing-examples.ts";
import { settlementNotification } from "../../shapes/settlement-notification.ts";

export const rtgsNotification = defineOperation({
  code: "76",
  name: "rtgsNotification",
  path: "transfer-rtgs/notify",
  kind: "notification",
  direction: "toPartner",
  about: { noun: "transfer" },
  title: "Result of an RTGS transfer",
  titleTranslations: { id: "Hasil transfer RTGS" },
  description: "Sent for every final result of an RTGS transfer.",
  descriptionTranslations: { id: "Dikirim untuk setiap hasil final sebuah transfer RTGS." },
  request: settlementNotification,
  response: {},
  cases: [],
  example: settlementExample(rtgsExample),
});
