/** Code 75: the final result of a transfer by 23. The reply is the envelope alone. */
import { defineOperation } from "../../operation.ts";
import { settlementExample, sknExample } from "../../shapes/clearing-examples.ts";
import { settlementNotification } from "../../shapes/settlement-notification.ts";

export const sknNotification = defineOperation({
  code: "75",
  name: "sknNotification",
  path: "transfer-skn/notify",
  kind: "notification",
  direction: "toPartner",
  about: { noun: "transfer" },
  title: "Result of an SKNBI transfer",
  titleTranslations: { id: "Hasil transfer SKNBI" },
  description: "Sent for every final result of an SKNBI transfer.",
  descriptionTranslations: { id: "Dikirim untuk setiap hasil final sebuah transfer SKNBI." },
  request: settlementNotification,
  response: {},
  cases: [],
  example: settlementExample(sknExample),
});
