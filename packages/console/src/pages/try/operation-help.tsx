/** Help on one operation, beside its form: its page of the reference, and what it may be rejected with. */
import type { OperationView } from "@titian/sandbox/types";
import { Panel } from "../../design/page.tsx";
import { ResponseBadge } from "../../design/word-badge.tsx";
import { language } from "../../preferences.ts";
import { tryIt } from "../../texts/try.ts";

export function OperationHelp({ operation }: { readonly operation: OperationView }) {
  const texts = tryIt();
  const { name, path, cases } = operation;
  const page = (anchor: string): string => `/docs/${name}?lang=${language.value}${anchor}`;
  return (
    <Panel title={texts.help}>
      <div class="stack-tight">
        <p>
          <span class="number">POST …/{path}</span>
        </p>
        <div class="row">
          <a class="button" href={page("")} target="_blank" rel="noreferrer">
            {texts.helpPage}
          </a>
          <a class="button" href={page("#codes")} target="_blank" rel="noreferrer">
            {texts.helpCodes}
          </a>
        </div>
        {cases.length > 0 && (
          <details class="more-fields">
            <summary>{texts.helpCases(cases.length)}</summary>
            <dl class="help-cases">
              {cases.map(({ responseCode, responseMessage, cause, cure }) => (
                <div key={responseCode}>
                  <dt>
                    <ResponseBadge code={responseCode} /> {responseMessage}
                  </dt>
                  <dd>
                    {cause[language.value]} <span class="muted">{cure[language.value]}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </Panel>
  );
}
