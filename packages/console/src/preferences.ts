/** Language and theme: what the browser asks for, until somebody chooses; kept in the browser. */
import { effect, signal } from "@preact/signals";

export type Language = "en" | "id";
export type Theme = "light" | "dark";

const stored = {
  read(name: string): string | undefined {
    try {
      return localStorage.getItem(`titian.${name}`) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(name: string, value: string): void {
    try {
      localStorage.setItem(`titian.${name}`, value);
    } catch {
      // Storage may be switched off: the choice lasts as long as the page.
    }
  },
};

export const language = signal<Language>(initialLanguage());
const chosenTheme = signal<Theme | undefined>(initialTheme());
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = signal<Theme>(prefersDark.matches ? "dark" : "light");
prefersDark.addEventListener("change", ({ matches }) => {
  systemTheme.value = matches ? "dark" : "light";
});

function initialLanguage(): Language {
  const choice = stored.read("language") ?? navigator.language.slice(0, 2);
  return choice === "id" ? "id" : "en";
}

function initialTheme(): Theme | undefined {
  const choice = stored.read("theme");
  return choice === "light" || choice === "dark" ? choice : undefined;
}

export const theme = (): Theme => chosenTheme.value ?? systemTheme.value;

export function chooseLanguage(choice: Language): void {
  language.value = choice;
  stored.write("language", choice);
}

export function chooseTheme(choice: Theme): void {
  chosenTheme.value = choice;
  stored.write("theme", choice);
}

/** Keeps the document's attributes true. */
effect(() => {
  document.documentElement.lang = language.value;
  document.documentElement.dataset["theme"] = theme();
});
