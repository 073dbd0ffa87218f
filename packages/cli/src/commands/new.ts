import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { checkSkillName } from '@repertoire/skills-core/provider';
import { suggestSkillName } from '@repertoire/skills-core/internal';
import { serializeSkillMd } from '@repertoire/skills-core/skill-md';
import type { Command } from 'commander';
import { readConfig } from '../config/read-config.ts';
import { newDescription, newInstruction } from '../lint/rules/template-rules.ts';
import { parseSourceWord } from '../source/source-word.ts';
import { runCommand, type CommandIo } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

interface NewCommandOptions {
  readonly in?: string;
  readonly description: string;
  readonly json?: boolean;
}

/** `repertoire new`: a folder with a valid SKILL.md, to be filled in. */
export function newCommand(command: Command, io: CommandIo): void {
  command
    .description('Makes the folder of a new skill, with a SKILL.md that is valid and says what belongs where.')
    .argument('<name>', 'name of the skill and of its folder: a-z, 0-9 and single hyphens')
    .option('--in <folder>', 'the folder that holds your skills; else the first of your configuration, or .agents/skills')
    .option('--description <text>', 'what the skill does and when to use it', newDescription)
    .addHelpText('after', helpFooter)
    .action((name: string, options: NewCommandOptions) =>
      runCommand(io, options, async () => {
        const issues = checkSkillName(name);
        if (issues.length > 0 || !/^[a-z0-9-]+$/.test(name)) throw badName(name);
        const folder = path.join(options.in ?? (await usualFolder(io)), name);
        const file = path.join(folder, 'SKILL.md');
        const full = path.resolve(io.cwd, folder);
        const text = skillMdOf(name, options.description);
        await mkdir(full, { recursive: true });
        try {
          await writeFile(path.join(full, 'SKILL.md'), text, { flag: 'wx' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
          throw new SkillError('duplicate-skill', `There is a skill at ${folder} already. Choose another name; nothing was changed.`, {
            skill: name,
          });
        }
        return { summary: `Wrote ${file}. Fill it in, then run: repertoire lint ${folder}`, data: { name, folder, file } };
      }),
    );
}

/** Where `list` and agents look, so that a new skill is found. */
async function usualFolder(io: CommandIo): Promise<string> {
  const [first] = (await readConfig(io)).sources ?? [];
  return first !== undefined && parseSourceWord(first, io.cwd).kind === 'path' && !/[*?[{(]/.test(first) ? first : '.agents/skills';
}

const helpFooter = `
Examples:
  repertoire new release-notes
  repertoire new billing --in packages/support/skills --description "Handles refunds. Use when a customer wants money back."

Exit codes: 0 done, 1 there is such a skill already, 2 wrong usage.`;

function skillMdOf(name: string, description: string): string {
  const title = name.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());
  const body = [
    `# ${title}`,
    '',
    newInstruction,
    '',
    '1. First step.',
    '2. Second step.',
    '',
    '## When something goes wrong',
    '',
    'Say what fails often, and what to do then.',
  ].join('\n');
  return serializeSkillMd({ name, description, version: null, body });
}

function badName(name: string): SkillError {
  const suggestion = suggestSkillName(name);
  const hint = suggestion !== name && /^[a-z0-9-]+$/.test(suggestion) ? ` Try ${suggestion}.` : '';
  return wrongUsage(`${JSON.stringify(name)} is no name for a skill. Use a-z, 0-9 and single hyphens, at most 64 characters.${hint}`);
}
