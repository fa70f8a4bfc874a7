/** Action of `titian completion`: a script finds out which command the line has, and offers what may follow it. */
import type { Command } from "commander";
import { print } from "../output.ts";
import { placesOf, type Place, type Word } from "./command-tree.ts";

export type Shell = "bash" | "zsh" | "fish";

export function printCompletion(program: Command, shell: Shell): void {
  const places = placesOf(program);
  const writers = { bash: bashScript, zsh: zshScript, fish: fishScript };
  print(writers[shell](places));
}

/** In single quotes of bash and zsh. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const quoteFish = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Branches of a `case` that leads from command to command. */
function stepsOf(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== "")
    .map(({ path, spellings }) => `      ${spellings.map(quote).join(" | ")}) at=${quote(path)} ;;`)
    .join("\n");
}

function bashScript(places: readonly Place[]): string {
  const texts = (words: readonly Word[]) => quote(words.map(({ text }) => text).join(" "));
  const branches = places.map(
    ({ path, names, options }) => `    ${quote(path)}) names=${texts(names)} options=${texts(options)} ;;`,
  );
  return `_titian() {
  local at='' word names='' options=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
${stepsOf(places)}
    esac
  done
  case "$at" in
${branches.join("\n")}
  esac
  word=\${COMP_WORDS[COMP_CWORD]}
  if [[ $word == -* ]]; then names=$options; fi
  COMPREPLY=($(compgen -W "$names" -- "$word"))
}
complete -o default -F _titian titian`;
}

function zshScript(places: readonly Place[]): string {
  const texts = (words: readonly Word[]) =>
    words.map(({ text, description }) => quote(`${text.replaceAll(":", String.raw`\:`)}:${description}`)).join(" ");
  const branches = places.map(
    ({ path, names, options }) => `    ${quote(path)}) names=(${texts(names)}) options=(${texts(options)}) ;;`,
  );
  return `#compdef titian
_titian() {
  local at='' word
  local -a names options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${stepsOf(places)}
    esac
  done
  case "$at" in
${branches.join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then names=("\${options[@]}"); fi
  if (( $#names )); then _describe titian names; else _files; fi
}
if [[ $funcstack[1] == _titian ]]; then _titian "$@"; else compdef _titian titian; fi`;
}

function fishScript(places: readonly Place[]): string {
  const steps = places
    .filter(({ path }) => path !== "")
    .map(
      ({ path, spellings }) => `      case ${spellings.map(quoteFish).join(" ")}\n        set at ${quoteFish(path)}`,
    );
  const offers = places.flatMap(({ path, names, options, hasCommands }) => {
    const start = `complete -c titian -n ${quoteFish(`__titian_at "${path}"`)}`;
    const say = (description: string) => (description === "" ? "" : ` -d ${quoteFish(description)}`);
    return [
      ...(hasCommands ? [`${start} -f`] : []),
      ...names.map(({ text, description }) => `${start} -f -a ${quoteFish(text)}${say(description)}`),
      ...options.map(({ text, description }) => `${start} -l ${text.replace(/^--/, "")}${say(description)}`),
    ];
  });
  return `function __titian_at
  set -l at ''
  set -l line (commandline -opc)
  set -e line[1]
  for word in $line
    switch "$at $word"
${steps.join("\n")}
    end
  end
  test "$at" = "$argv[1]"
end
${offers.join("\n")}`;
}
