/** The state of clock and rails, on every page. */
import { call } from "../api/call.ts";
import { useControl } from "../api/resource.ts";
import { timeText } from "../design/time.tsx";
import { hrefOf } from "../routing/router.ts";
import { shell } from "../texts/shell.ts";
import { toneOf, word } from "../texts/words.ts";
import { chooseLanguage, chooseTheme, language, theme } from "../preferences.ts";

const everyMs = 15_000;

export function StatusBar() {
  const texts = shell();
  const { data: clock } = useControl(call("GET /clock"), everyMs);
  const { data } = useControl(call("GET /rails"), everyMs);
  return (
    <div class="status">
      <a href={hrefOf(["world", "clock"])}>
        {texts.businessTime}
        <strong>{clock ? `${timeText(clock.now, "minute")} WIB` : "…"}</strong>
      </a>
      {data?.rails.map(({ rail, mode }) => {
        const state = mode === null ? "" : word("modes", mode);
        return (
          <a key={rail} href={hrefOf(["world", "rails"])} aria-label={texts.railState(word("rails", rail), state)}>
            <span class={`dot ${mode === null ? "" : toneOf("modes", mode)}`} />
            {word("rails", rail)} {mode !== null && <strong class={mode === "normal" ? "calm" : ""}>{state}</strong>}
          </a>
        );
      })}
    </div>
  );
}

export function Switches() {
  const texts = shell();
  const isDark = theme() === "dark";
  return (
    <div class="switches">
      <div class="segmented" role="group" aria-label={texts.language}>
        <button type="button" aria-pressed={language.value === "en"} onClick={() => chooseLanguage("en")}>
          <span aria-hidden="true">EN</span>
          <span class="hidden" lang="en">
            English
          </span>
        </button>
        <button type="button" aria-pressed={language.value === "id"} onClick={() => chooseLanguage("id")}>
          <span aria-hidden="true">ID</span>
          <span class="hidden" lang="id">
            Bahasa Indonesia
          </span>
        </button>
      </div>
      <button
        type="button"
        class="button"
        aria-label={texts.darkTheme}
        aria-pressed={isDark}
        onClick={() => chooseTheme(isDark ? "light" : "dark")}
      >
        <span aria-hidden="true">{isDark ? "☾" : "☀"}</span>
      </button>
    </div>
  );
}
