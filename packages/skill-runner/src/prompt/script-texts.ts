import { quoteWord, textArgument, toolDescription, type SkillToolDescription, type SkillToolNames } from '@repertoire/skills-core/internal';

/** What the tool is for, and its arguments. */
const scriptToolTexts = {
  description: (load: string): string =>
    `Runs a script of a loaded skill, as listed by ${load}, and returns what it prints. It sees the files of its skill and nothing else of yours.`,
  skill: 'Name of the skill.',
  script: 'Path of the script inside the skill, such as scripts/check.py.',
  arguments: 'Command-line arguments, one per element.',
  stdin: 'Text for its standard input.',
};

/** What is said of the scripts of a skill, and of what one did. */
export const scriptTexts = {
  /** Above the scripts of a loaded skill. */
  list: (skill: string, runScript: string): string =>
    `Scripts of this skill. Run one with ${runScript} (skill: ${quoteWord(skill)}) when the instructions call for it:`,
  /** Behind a list of scripts that is not whole. */
  more: (count: number): string => `… and ${count} more, which can be run by path too.`,
  /** How a script ended, where its exit code does not say it. */
  ends: {
    exit: '',
    timeout: 'The script was ended: it took too long. What it did until then may be incomplete.',
    output: 'The script was ended: it wrote too much output. What it did until then may be incomplete.',
    files: 'The script was ended: it wrote too many or too large files.',
  },
  /** In place of the output of a script that wrote nothing. */
  noOutput: '(no output)',
  /** Where characters in the middle of an output are left out. */
  gap: (characters: number): string => `[… ${characters} characters left out …]`,
  filesWritten: (lines: readonly string[], more: number): string =>
    ['Files written:', ...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
} as const;

/** Notes in a text, about the commands that it asks to run. */
export const snippetTexts = {
  /** In a text that stands in the system prompt: nothing runs for it. */
  notGiven: (command: string): string => `[the output of ${quoteWord(command)} is not given here]`,
  /** In a text that is restored: its output is not kept. */
  notKept: (command: string): string => `[the output of ${quoteWord(command)} is not kept; load the skill again to get it]`,
  /** Behind an output that was cut. */
  cut: (bytes: number): string => `[output cut after ${bytes} bytes]`,
  /** In place of an output that cannot be used. */
  error: (reason: string): string => `[error: ${reason}]`,
  /** Reasons for `error`. */
  reasons: {
    exit: (command: string, code: number, detail: string): string =>
      `${command} ended with exit code ${code}${detail === '' ? '' : `: ${detail}`}`,
    timeout: (command: string, milliseconds: number): string => `${command} did not end within ${milliseconds} ms`,
    files: (command: string): string => `${command} wrote too much`,
    failed: (command: string, detail: string): string => `${command} was not run: ${detail}`,
    tooMany: (most: number): string => `not run: at most ${most} commands of a skill are run`,
    noTime: (milliseconds: number): string => `not run: the commands of this skill took more than ${milliseconds} ms together`,
    noRoom: (bytes: number): string => `not run: the output of this skill's commands is larger than ${bytes} bytes`,
  },
} as const;

/** What a model is told of the tool that runs scripts. */
export const describeScriptTool = (names: SkillToolNames): SkillToolDescription => {
  const texts = scriptToolTexts;
  return toolDescription('runScript', names, texts.description(names.load), {
    properties: {
      skill: textArgument(texts.skill),
      script: textArgument(texts.script),
      arguments: { type: 'array', items: { type: 'string' }, description: texts.arguments },
      stdin: textArgument(texts.stdin),
    },
    required: ['skill', 'script'],
  });
};
