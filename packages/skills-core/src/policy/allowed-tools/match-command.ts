import { trimWhere } from '../../contract/trim-end.ts';
import { matchWildcard } from './wildcard.ts';

/** Longer commands match no pattern with a star. */
const maxCommandLength = 100_000;

/**
 * Which shell will read a command. `posix`: sh, dash, bash, ksh or zsh, so quoted text is told from
 * operators. `unknown`: fish, PowerShell, cmd, or any other, so every character that means
 * something to some shell counts as an operator.
 */
export type CommandShell = 'posix' | 'unknown';

/**
 * Whether a command fits what stands in the parentheses of a pattern: exactly; by a prefix of words
 * (`git:*`, `git *`: `git` and `git status`, not `gitk`); or with `*` for any characters elsewhere.
 * Where a star is involved, only a simple command fits.
 */
export function matchCommand(argument: string, command: string, shell: CommandShell): boolean {
  const text = trimWhere(command, (character) => ' \t\r\n'.includes(character));
  if (argument === '*') return true;
  if (!argument.includes('*')) return text === argument;
  if (!isSimpleCommand(text, shell)) return false;
  const prefix = /^(.*\S)(?::| )\*$/.exec(argument)?.[1];
  if (prefix === undefined) return !/^:?\*$/.test(argument) && matchWildcard(argument, text);
  return matchWildcard(prefix, text) || matchWildcard(`${prefix} *`, text) || matchWildcard(`${prefix}\t*`, text);
}

/**
 * Whether a command is one program with its arguments and nothing else: no second command, no pipe,
 * no redirection, no substitution, no second line. When unsure, it returns false: for an unclosed
 * quote, `${…}` (which can run commands), `$'…'` (whose quoting differs between shells). It also
 * returns false for a command of more than 100,000 characters.
 *
 * @param shell which shell will read the command. @default 'posix'
 */
export function isSimpleCommand(command: string, shell: CommandShell = 'posix'): boolean {
  if (command.length > maxCommandLength || /[\u0000-\u0008\u000A-\u001F\u007F]/.test(command)) return false;
  if (shell !== 'posix') return /^[\p{L}\p{N}\p{M} \t_./:=,@+~\\-]*$/u.test(command);
  // In order: quoted text, an escaped character, a `$` before a name, any harmless character.
  return /^(?:'[^']*'|"(?:\\[^]|\$(?![([{])|[^"\\$`])*"|\\[^]|\$(?![([{'"])|[^'"\\$`;&|<>()])*$/.test(command);
}
