/** `titian completion`: a shell's script that completes the commands and their options. */
import { Argument, type Command } from "commander";
import type { Shell } from "./completion-script.ts";

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

const help = `
It is made of this release's commands: print it anew after an upgrade, or let each shell do it at its start.

  bash   in ~/.bashrc: source <(titian completion bash)
  zsh    in ~/.zshrc, behind compinit: source <(titian completion zsh)
  fish   titian completion fish > ~/.config/fish/completions/titian.fish`;

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print the script that lets a shell complete commands and options")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", help)
    .action(async (shell: Shell) => {
      const { printCompletion } = await import("./completion-script.ts");
      printCompletion(program, shell);
    });
}
