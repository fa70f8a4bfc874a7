/** The key `/` leads to the search, from any page. */
import { go, hrefOf } from "./router.ts";

export const searchId = "search-number";

let isWanted = false;

/** A page that has the search was shown: it gets the focus where somebody asked for it from another page. */
export function searchIsShown(): void {
  if (isWanted) focus();
}

/** Listens until it is called off. */
export function followSearchKey(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    if (focus()) return;
    isWanted = true;
    go(hrefOf([]));
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function focus(): boolean {
  const input = document.getElementById(searchId);
  if (!(input instanceof HTMLInputElement)) return false;
  isWanted = false;
  input.focus();
  input.select();
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
