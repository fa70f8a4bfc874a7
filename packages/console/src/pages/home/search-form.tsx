import { useState } from "preact/hooks";
import { go, hrefOf } from "../../routing/router.ts";
import { search } from "../../texts/search.ts";

/** Any number, from anywhere. */
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
      <label class="hidden" for="search-number">
        {texts.label}
      </label>
      <input
        id="search-number"
        class="input"
        type="search"
        value={number}
        placeholder={texts.placeholder}
        maxLength={256}
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
