import assert from "node:assert/strict";
import { test } from "node:test";
import { hash } from "node:crypto";
import { explainAttempt } from "./explain-attempt.ts";
import { explainTest } from "./explain-test.ts";

const url = "https://shop.example/snap/v1.0/transfer-rtgs/notify?key=…";
const digest = hash("sha256", "body");
const time = "2026-11-25T10:00:00+07:00";
const signed = (path: string, of = digest, at = time) =>
  JSON.stringify({
    responseCode: "4017600",
    responseMessage: "Unauthorized. [Signature]",
    stringToSign: `POST:${path}:${of}:${at}`,
  });
const whole = "/snap/v1.0/transfer-rtgs/notify";

/** Status, response code if it has one, reply, and what is said of it. */
const answers: readonly (readonly [number, string | undefined, string, string])[] = [
  [401, "4017600", '{"responseMessage":"Unauthorized. [Signature]"}', "signature"],
  [403, undefined, '{"error":"invalid signature"}', "signature"],
  [401, "4017600", '{"responseMessage":"Unauthorized. [Unknown client]"}', "otherPartner"],
  [401, "4017600", '{"responseMessage":"Timestamp expired"}', "time"],
  [401, "4017601", '{"responseMessage":"Unauthorized"}', "token"],
  [401, undefined, "<html>401 Authorization Required</html>", "noEnvelope401"],
  [401, "4017600", signed("/v1.0/transfer-rtgs/notify"), "signature"],
  [401, "4017600", signed(`${whole}?key=1`), "signature"],
  [401, "4017600", signed(`${whole}:token.of.us`), "signature"],
  [401, "4017600", signed("/transfer-rtgs/notify"), "path"],
  [401, "4017600", signed(whole, digest.toUpperCase()), "hashUpperCase"],
  [401, "4017600", signed(whole, Buffer.from(digest, "hex").toString("base64")), "hashForm"],
  [401, "4017600", signed(whole, hash("sha256", "")), "hashOfNothing"],
  [401, "4017600", signed(whole, hash("sha256", "{}")), "hashOfNothing"],
  [401, "4017600", signed(whole, digest, "2026-11-25T03:00:00.000Z"), "timeForm"],
  [401, "4017600", signed("/transfer-rtgs/notify").replaceAll("/", "\\/"), "path"],
  [403, undefined, "<html>Forbidden</html>", "forbidden"],
  [404, undefined, "Not Found", "notFound"],
  [404, "4040001", "{}", "notFound"],
  [404, "4047601", "{}", "unknownReference"],
  [405, undefined, "", "method"],
  [400, "4007601", '{"responseMessage":"Invalid Field Format"}', "body"],
  [415, undefined, "", "body"],
  [413, undefined, "", "tooLarge"],
  [429, undefined, "", "tooMany"],
  [302, undefined, "", "redirect"],
  [502, undefined, "<html>Bad Gateway</html>", "gateway"],
  [500, undefined, "", "failedThere"],
  [500, "5007600", "{}", "failedThere"],
  [200, "4037614", "{}", "rejected"],
  [200, undefined, '{"responseCode":2007600}', "numberAsCode"],
  [200, undefined, '{"responseCode":"00"}', "otherCode"],
  [200, undefined, "<!doctype html>", "page"],
  [200, undefined, '{"status":"ok"}', "noEnvelope"],
  [500, "2007600", "{}", "statusAgainstCode"],
];

for (const [httpStatus, responseCode, reply, id] of answers) {
  test(`HTTP ${httpStatus} ${responseCode ?? ""} ${reply.slice(0, 60)}: ${id}`, () => {
    const said = explainAttempt({ partnerId: "SHOP01", serviceCode: "76", url, httpStatus, responseCode, reply });
    assert.equal(said?.sentenceId, `attempt.${id}`);
    assert.doesNotMatch(`${said.sentence}${said.translations.id}`, /\{\w+\}/);
  });
}

test("without a reply the failure speaks for itself", () => {
  assert.equal(explainAttempt({ partnerId: "SHOP01", serviceCode: "76", url }), undefined);
});

test("what is shown of a reply cannot act on a terminal", () => {
  const reply = signed("/\u001b[31m");
  const said = explainAttempt({
    partnerId: "SHOP01",
    serviceCode: "76",
    url,
    httpStatus: 401,
    responseCode: "4017600",
    reply,
  });
  assert.ok(!said?.sentence.includes("\u001b"));
});

const tested = {
  partnerId: "SHOP01",
  serviceCode: "76",
  url,
  failure: "HTTP 401",
  providerKeySha256: "ab",
  httpStatus: 401,
};
const mistake = {
  name: "m",
  does: "does it so",
  correctly: "must do it right",
  translations: { id: "Penerima begitu." },
};
for (const [result, id, sentence] of [
  [{ failure: undefined }, "test.accepted", /accepted the test notification/],
  [{ mistake }, "test.mistake", /^The receiver does it so: it must do it right\.$/],
  [{ signing: "symmetric" }, "test.mode+test.change", /mode 1\. .* change SHOP01 --notification-signing symmetric$/],
  [{ signedPath: "service" }, "test.servicePath+test.change", /--notification-signed-path service$/],
  [{ isTextRight: true, reply: "signature" }, "test.sameText", /SHA-256 ab/],
  [{ reply: "signature" }, "test.signature", /SHA-256 ab/],
  [{ httpStatus: 404 }, "attempt.notFound", /Nothing is at this path/],
] as const) {
  test(`a test of the receiver: ${id}`, () => {
    const said = explainTest({ ...tested, ...result });
    assert.equal(said?.sentenceId, id);
    assert.match(said.sentence, sentence);
    assert.doesNotMatch(`${said.sentence}${said.translations.id}`, /\{\w+\}/);
  });
}
