/** The same call as programs in six languages, and how it was signed. */
import type { CodeLanguage, SignedRequest } from "@titian/sandbox/types";
import { useState } from "preact/hooks";
import { Code } from "../../design/code.tsx";
import { Panel } from "../../design/page.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { tryIt } from "../../texts/try.ts";

const languages: readonly CodeLanguage[] = ["curl", "sdk", "php", "go", "java", "python"];

export function CodePanel({ signed }: { readonly signed: SignedRequest }) {
  const texts = tryIt();
  const [chosen, setChosen] = useState<CodeLanguage>("curl");
  const headers = Object.entries(signed.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  return (
    <>
      <Panel title={texts.code} lead={texts.codeLead}>
        <Tabs
          label={texts.code}
          tabs={languages.map((name) => ({ name, label: texts.languages[name] }))}
          chosen={chosen}
          onChoose={setChosen}
        >
          <Code text={signed.code[chosen]} label={texts.languages[chosen]} />
        </Tabs>
      </Panel>
      <Panel title={texts.signing}>
        <div class="stack-tight">
          <h3>{texts.stringToSign}</h3>
          <Code text={signed.stringToSign} label={texts.stringToSign} isWrapped />
          <h3>{texts.headers}</h3>
          <Code text={`${signed.method} ${signed.path}\n${headers}`} label={texts.headers} isWrapped />
        </div>
      </Panel>
    </>
  );
}
