/** Saves a list as a file. */
import { useAction } from "../api/action.ts";
import type { Exported, FileFormat } from "../api/export-rows.ts";
import { language } from "../preferences.ts";
import { lists } from "../texts/lists.ts";
import { Button } from "./inputs.tsx";
import { errorText, Notice } from "./states.tsx";

export const countText = (count: number): string => new Intl.NumberFormat(language.value).format(count);

export function Save({ save }: { readonly save: (format: FileFormat) => Promise<Exported> }) {
  const texts = lists();
  const { run, isRunning, error, result } = useAction(save);
  return (
    <div class="row save">
      <span class="muted small">{texts.save}</span>
      <Button onClick={() => run("csv")} isBusy={isRunning} label={texts.saveAs("CSV")}>
        CSV
      </Button>
      <Button onClick={() => run("json")} isBusy={isRunning} label={texts.saveAs("JSON")}>
        JSON
      </Button>
      {error && <Notice tone="bad">{errorText(error)}</Notice>}
      {result && (
        <Notice tone={result.isCut ? "warn" : "good"}>
          {result.isCut ? texts.cut(countText(result.rows)) : texts.saved(countText(result.rows))}
        </Notice>
      )}
    </div>
  );
}
