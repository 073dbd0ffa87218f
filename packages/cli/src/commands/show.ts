import { createSkillset, type Skill } from '@repertoire/skills-core';
import type { Command } from 'commander';
import { showBytes } from '../bundle/show-bytes.ts';
import { findSkill } from '../source/find-skill.ts';
import { openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { columns } from '../text/columns.ts';
import { runCommand, type CommandIo } from './command.ts';

/** Level 1 that people see in a table of its own. */
const apart: ReadonlySet<string> = new Set(['name', 'description', 'body', 'resources', 'diagnostics', 'origin']);

/** `repertoire show`: everything that is known of one skill. */
export function showCommand(command: Command, io: CommandIo): void {
  command
    .description('Shows one skill as an agent sees it: its fields, its files, and the instructions that are loaded.')
    .argument('<skill>', 'name of the skill; name@version for one of its versions')
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action((word: string, words: string[], options: { readonly json?: boolean }) =>
      runCommand(io, options, async (report) => {
        await using source = await openSource(words, io, report);
        const skill = await findSkill(source.provider, word, io.signal);
        for (const diagnostic of skill.diagnostics) report.diagnostic(diagnostic);
        const bodyTokens = createSkillset({ provider: source.provider }).countTokens(skill.body);
        return { summary: textOf(skill, bodyTokens), data: { skill, bodyTokens } };
      }),
    );
}

const helpFooter = `
Examples:
  repertoire show billing ./skills
  repertoire show billing@1.2.0 ./skills --json

Exit codes: 0 done, 1 there is no such skill, 2 wrong usage.`;

function textOf(skill: Skill, bodyTokens: number): string {
  const fields = Object.entries(skill).filter(([key, value]) => !apart.has(key) && value !== undefined && value !== null);
  const { origin } = skill;
  const rows = [
    ...fields.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    ...(origin === undefined
      ? []
      : [['source', `${origin.label}${origin.uri === undefined ? '' : ` ${origin.uri}`}${origin.trusted ? '' : ' (untrusted)'}`]]),
    ['instructions', `about ${bodyTokens} tokens`],
  ];
  const files = skill.resources.map(({ path, size, kind }) => [`  ${path}`, size === undefined ? '' : showBytes(size), kind]);
  return [
    skill.name,
    skill.description,
    '',
    columns(rows),
    ...(files.length === 0 ? [] : ['', `Files (${files.length}):`, columns(files)]),
    '',
    skill.body,
  ].join('\n');
}
