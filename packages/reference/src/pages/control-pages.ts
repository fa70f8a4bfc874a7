/** The pages of control calls, one for each noun. They are of the sandbox. */
import type { ObjectSchema, Schema } from "@titian/contract";
import type { Block } from "../blocks/block.ts";
import { texts } from "../frame/texts.ts";
import type { Language } from "../languages.ts";
import { addressOf, type Section, type SitePage } from "../site.ts";
import { schemaFields } from "./schema-fields.ts";

/** A control call, as its row has it. */
export interface ControlCall {
  /** Noun and verb, such as `account show`. */
  readonly name: string;
  readonly method: string;
  /** Behind the mount. */
  readonly path: string;
  readonly access: "read" | "act";
  readonly does: string;
  readonly query: ObjectSchema;
  readonly body: ObjectSchema;
  readonly answer?: Schema;
}

export const controlPath = "control";

const introduction = {
  en: 'JSON in and out, with `Authorization: Bearer` and the `controlToken` of `sandbox.json`, or a session of the console. Amounts are decimal texts; times are ISO 8601 with +07:00. A call that cannot be carried out answers `{"error": {"code", "message", "field"}}`. [How they are made, with curl](docs/guides/sandbox.md#control-calls).',
  id: 'JSON masuk dan keluar, dengan `Authorization: Bearer` dan `controlToken` dari `sandbox.json`, atau sesi konsol. Nominal berupa teks desimal; waktu ISO 8601 dengan +07:00. Panggilan yang tidak dapat dijalankan menjawab `{"error": {"code", "message", "field"}}`. [Cara memanggilnya, dengan curl](docs/guides/sandbox.md#control-calls).',
};

const nounOf = ({ name }: ControlCall): string => name.split(" ")[0] ?? name;
const titleOfNoun = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("-", " ")}`;

export const callAnchor = ({ name }: ControlCall): string => name.replaceAll(" ", "-");
export const controlPathOf = (call: ControlCall): string => `${controlPath}/${nounOf(call)}`;

export function controlPages(calls: readonly ControlCall[], mount: string): readonly SitePage[] {
  const byNoun = Map.groupBy(calls, nounOf);
  const nouns = [...byNoun].map(([noun, own]): SitePage => {
    const title = titleOfNoun(noun);
    return {
      path: `${controlPath}/${noun}`,
      title: { en: title, id: title },
      note: noteOf(own),
      group: "sandbox",
      sections: (language) => own.map((call) => callSection(call, mount, language)),
    };
  });
  const cards = (language: Language): Block => ({
    kind: "cards",
    entries: nouns.map(({ path, title, note }) => ({
      href: addressOf(path, language),
      title: title[language],
      note: note[language],
    })),
  });
  const index: SitePage = {
    path: controlPath,
    title: { en: "Control calls", id: "Panggilan kontrol" },
    note: { en: "All that the sandbox is steered by", id: "Semua yang mengendalikan sandbox" },
    group: "sandbox",
    sections: (language) => [
      { blocks: [{ kind: "prose", markdown: introduction[language] }] },
      { blocks: [cards(language)] },
    ],
  };
  return [index, ...nouns];
}

function noteOf(calls: readonly ControlCall[]): SitePage["note"] {
  const verbs = calls.map(({ name }) => name.split(" ").slice(1).join(" ") || name).join(", ");
  return { en: verbs, id: verbs };
}

function callSection(call: ControlCall, mount: string, language: Language): Section {
  const { name, method, path, does, query, body, answer } = call;
  const anchor = callAnchor(call);
  const parts = [
    { title: texts.query, fields: query },
    { title: texts.body, fields: body },
    { title: texts.answer, fields: objectOf(answer) },
  ];
  return {
    heading: { id: anchor, text: name },
    blocks: [
      { kind: "endpoint", method, path: `${mount}${path}` },
      { kind: "prose", markdown: does, isEnglish: true },
      ...parts.flatMap(({ title, fields }): readonly Block[] => {
        if (fields === undefined || Object.keys(fields.properties).length === 0) return [];
        const entries = schemaFields(fields, `${anchor}-${title.en.toLowerCase()}`, language, title === texts.answer);
        return [
          { kind: "prose", markdown: `**${title[language]}**` },
          { kind: "fields", entries, example: texts.example[language] },
        ];
      }),
    ],
  };
}

function objectOf(schema: Schema | undefined): ObjectSchema | undefined {
  if (schema?.properties !== undefined) return { properties: schema.properties, required: schema.required ?? [] };
  return schema?.anyOf?.map(objectOf).find((found) => found !== undefined);
}
