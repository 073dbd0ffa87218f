import type { Command } from 'commander';

/** An option as shells complete it. */
export interface OptionNode {
  /** Such as `['-t', '--to']`. */
  readonly flags: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  /** The only values that it takes; none if any will do. */
  readonly choices: readonly string[];
}

/** A command as shells complete it. */
export interface CommandNode {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionNode[];
  /** Words that its first argument must be one of; none if any will do. */
  readonly choices: readonly string[];
}

/** Every command of a program, with what is known of its options. */
export function commandTree(program: Command): CommandNode[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    options: command
      .createHelp()
      .visibleOptions(command)
      .map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined && flag !== null),
        description: option.description,
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
      })),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }));
}
