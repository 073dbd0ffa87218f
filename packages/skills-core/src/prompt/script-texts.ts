import { quoteWord } from './source-words.ts';

/** Texts about scripts, short and fixed as in `model-texts.ts`. */

/** What the tool is for, and its arguments. */
export const scriptToolTexts = {
  description: (load: string): string =>
    `Runs a script of a loaded skill, as listed by ${load}, and returns what it prints. It sees the files of its skill and nothing else of yours.`,
  skill: 'Name of the skill.',
  script: 'Path of the script inside the skill, such as scripts/check.py.',
  arguments: 'Command-line arguments, one per element.',
  stdin: 'Text for its standard input.',
};

/** Above the scripts of a loaded skill. */
export function scriptsText(skill: string, runScript: string): string {
  return `Scripts of this skill. Run one with ${runScript} (skill: ${quoteWord(skill)}) when the instructions call for it:`;
}

/** Behind a list of scripts that is not whole. */
export function moreScriptsText(count: number): string {
  return `… and ${count} more, which can be run by path too.`;
}

/** In place of a command in a text that stands in the system prompt: nothing runs for it. */
export function snippetNotGivenText(command: string): string {
  return `[the output of ${quoteWord(command)} is not given here]`;
}

/** In place of a command in a text that is put back: its output is not kept. */
export function snippetNotKeptText(command: string): string {
  return `[the output of ${quoteWord(command)} is not kept; load the skill again to get it]`;
}

/** In place of a snippet that gave no output that can be used. */
export function snippetErrorText(reason: string): string {
  return `[error: ${reason}]`;
}

/** Why a command did not give its output, as the note in its place says. */
export const snippetReasons = {
  exit: (command: string, code: number, detail: string): string =>
    `${command} ended with exit code ${code}${detail === '' ? '' : `: ${detail}`}`,
  timeout: (command: string, milliseconds: number): string => `${command} did not end within ${milliseconds} ms`,
  files: (command: string): string => `${command} wrote too much`,
  failed: (command: string, detail: string): string => `${command} was not run: ${detail}`,
  tooMany: (most: number): string => `not run: at most ${most} commands of a skill are run`,
  noTime: (milliseconds: number): string => `not run: the commands of this skill took more than ${milliseconds} ms together`,
  noRoom: (bytes: number): string => `not run: the output of this skill's commands is larger than ${bytes} bytes`,
} as const;

/** Behind the output of a snippet that was cut. */
export function snippetCutText(bytes: number): string {
  return `[output cut after ${bytes} bytes]`;
}

/** Where characters in the middle of an output are left out. */
export function outputGapText(characters: number): string {
  return `[… ${characters} characters left out …]`;
}

/** How a script ended, where its exit code does not say it. */
export const scriptEndTexts = {
  exit: '',
  timeout: 'The script was ended: it took too long. What it did until then may be incomplete.',
  output: 'The script was ended: it wrote too much output. What it did until then may be incomplete.',
  files: 'The script was ended: it wrote too many or too large files.',
} as const;

/** In place of the output of a script that wrote nothing. */
export const noOutputText = '(no output)';

/** The list of files that a script wrote. */
export function filesWrittenText(lines: readonly string[], more: number): string {
  return ['Files written:', ...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}
