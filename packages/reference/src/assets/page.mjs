/**
 * Search over the pages, and buttons that copy a sample. The list of what can be found is loaded at the first use. Without
 * JavaScript the pages are whole, and neither is shown.
 */
const box = document.querySelector(".search");
const input = box.querySelector("input");
const list = box.querySelector("[role=listbox]");
const resultsMax = 14;
const kindWeights = { operation: 30, guide: 12, code: 6, control: 4, field: 2 };

/** @type {Promise<{ labels: Record<string, string>, entries: string[][] }> | undefined} */
let index;
let selected = -1;

const load = () => (index ??= fetch(box.dataset.index).then((response) => response.json()));

/** Rank of an entry for the words asked for; 0 where one of them is in no part of it. */
function rankOf([kind, title, below, , words], asked) {
  const name = title.toLowerCase();
  const others = `${below} ${words}`.toLowerCase();
  let rank = kindWeights[kind];
  for (const word of asked) {
    if (name === word) rank += 120;
    else if (name.startsWith(word)) rank += 70;
    else if (name.split(/[\s.]/).some((piece) => piece.startsWith(word))) rank += 45;
    else if (name.includes(word)) rank += 25;
    else if (others.split(/[\s·/]+/).includes(word)) rank += 20;
    else if (others.includes(word)) rank += 8;
    else return 0;
  }
  return rank;
}

async function show() {
  const asked = input.value.toLowerCase().trim().split(/\s+/).filter(Boolean);
  const { labels, entries } = await load();
  const found =
    asked.length === 0
      ? []
      : entries
          .map((entry) => ({ entry, rank: rankOf(entry, asked) }))
          .filter(({ rank }) => rank > 0)
          .sort((one, other) => other.rank - one.rank)
          .slice(0, resultsMax);
  list.replaceChildren(...found.map(({ entry }, at) => optionOf(entry, labels, at)));
  if (asked.length > 0 && found.length === 0) list.append(noResult());
  selected = -1;
  open(asked.length > 0);
}

function optionOf([kind, title, below, address], labels, at) {
  const option = document.createElement("a");
  option.href = address;
  option.id = `result-${at}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  option.tabIndex = -1;
  option.append(part("strong", title), part("small", below), part("span", labels[kind]));
  return option;
}

function noResult() {
  const text = part("p", box.dataset.none);
  text.setAttribute("role", "option");
  text.setAttribute("aria-selected", "false");
  return text;
}

function part(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function open(isOpen) {
  list.hidden = !isOpen;
  input.setAttribute("aria-expanded", String(isOpen));
  if (!isOpen) input.removeAttribute("aria-activedescendant");
}

function select(step) {
  const options = [...list.querySelectorAll("a")];
  if (options.length === 0) return;
  selected = (selected + step + options.length) % options.length;
  for (const [at, option] of options.entries()) option.setAttribute("aria-selected", String(at === selected));
  input.setAttribute("aria-activedescendant", options[selected].id);
  options[selected].scrollIntoView({ block: "nearest" });
}

input.addEventListener("input", () => void show());
input.addEventListener("focus", () => void load());
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    select(event.key === "ArrowDown" ? 1 : selected === -1 ? 0 : -1);
  } else if (event.key === "Enter") {
    list.querySelectorAll("a")[Math.max(selected, 0)]?.click();
  } else if (event.key === "Escape") {
    open(false);
  }
});
box.addEventListener("focusout", ({ relatedTarget }) => {
  if (!box.contains(relatedTarget)) open(false);
});
list.addEventListener("click", () => open(false));
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, textarea, select") || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input.focus();
});
box.hidden = false;

const navigation = document.querySelector("nav.side");
const currentLink = navigation.querySelector("[aria-current]");
if (currentLink !== null) navigation.scrollTop = currentLink.offsetTop - navigation.clientHeight / 2;

/** Over http the clipboard is there for pages of this machine alone. */
if (navigator.clipboard !== undefined) {
  const { copy, copied } = document.querySelector("main").dataset;
  for (const caption of document.querySelectorAll(".sample figcaption")) {
    const button = part("button", copy);
    button.type = "button";
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(caption.nextElementSibling.textContent).then(() => {
        button.textContent = copied;
      });
    });
    caption.append(button);
  }
}
