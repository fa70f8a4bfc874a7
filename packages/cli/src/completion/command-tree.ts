/** Commands and what may follow each, from the definitions that also make the help. */
import type { Command } from "commander";

export interface Word {
  readonly text: string;
  readonly description: string;
}

export interface Place {
  /** Words behind the program's name, each with a space before it: ` rails list`; empty at the start of a line. */
  readonly path: string;
  /** Texts that lead here: the path, and it with each alias of the command. */
  readonly spellings: readonly string[];
  /** Subcommands, and the values of arguments that have a choice. */
  readonly names: readonly Word[];
  readonly options: readonly Word[];
  readonly hasCommands: boolean;
}

/** The command and all below it. */
export function placesOf(command: Command, path = "", spellings: readonly string[] = [path]): readonly Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const place: Place = {
    path,
    spellings,
    names: [
      ...commands.flatMap((one) =>
        namesOf(one).map((text) => ({ text, description: help.subcommandDescription(one) })),
      ),
      ...choices.map((text) => ({ text, description: "" })),
    ],
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (long == null ? [] : [{ text: long, description }])),
    hasCommands: commands.length > 0,
  };
  const below = commands.flatMap((one) =>
    placesOf(
      one,
      `${path} ${one.name()}`,
      namesOf(one).map((name) => `${path} ${name}`),
    ),
  );
  return [place, ...below];
}

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()];
