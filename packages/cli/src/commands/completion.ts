import { Argument, Command } from 'commander';
import { commandTree } from '../completion/command-tree.ts';
import { completionScript, shells, type Shell } from '../completion/shell-scripts.ts';
import { runCommand, type CommandIo } from './command.ts';

/** `repertoire completion`: a script for a shell, made of the commands as they are. */
export function completionCommand(command: Command, io: CommandIo): void {
  command
    .description('Prints a script that completes commands, options and their values in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', helpFooter)
    .action((shell: Shell, options: { readonly json?: boolean }) =>
      runCommand(io, options, async () => {
        // Here, because the table of commands names this file.
        const { addToProgram, commandTable } = await import('./command-table.ts');
        const whole = new Command('repertoire');
        for (const entry of commandTable) await addToProgram(whole, entry, io);
        const script = completionScript(shell, commandTree(whole));
        return { summary: script.trimEnd(), data: { shell, script } };
      }),
    );
}

const helpFooter = `
Examples:
  source <(repertoire completion bash)                                        in ~/.bashrc
  repertoire completion zsh > ~/.zfunc/_repertoire                            with ~/.zfunc in $fpath
  repertoire completion fish > ~/.config/fish/completions/repertoire.fish
  repertoire completion powershell | Out-String | Invoke-Expression           in $PROFILE

Exit codes: 0 done, 2 wrong usage.`;
