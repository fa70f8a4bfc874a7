import { useState } from "preact/hooks";
import { searchId } from "../../routing/focus-search.ts";
import { go, hrefOf } from "../../routing/router.ts";
import { search } from "../../texts/search.ts";

/** Everything that may be known of a record, in one line. */
export function SearchForm({ initial = "" }: { readonly initial?: string }) {
  const texts = search();
  const [number, setNumber] = useState(initial);
  const submit = (event: Event): void => {
    event.preventDefault();
    const wanted = number.trim();
    if (wanted !== "") go(hrefOf(["find"], { number: wanted }));
  };
  return (
    <form class="search" role="search" onSubmit={submit}>
      <label class="hidden" for={searchId}>
        {texts.label}
      </label>
      <input
        id={searchId}
        class="input"
        type="search"
        value={number}
        placeholder={texts.placeholder}
        title={texts.focusHint}
        aria-keyshortcuts="/"
        maxLength={200}
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        onInput={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        {texts.submit}
      </button>
    </form>
  );
}
