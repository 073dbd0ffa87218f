import { findSnippets } from '@repertoire/skills-core/provider';
import { parseSkillLock } from '@repertoire/skill-trust/lock';
import { parseSkillCommand } from '@repertoire/skills-core/adapter';
import { matchesAllowedTool } from '../../../packages/skills-core/src/policy/allowed-tools/matches-allowed-tool.ts';
import { normalizeResourcePath, applyArguments, suggestSkillName } from '@repertoire/skills-core/internal';
import { normalizeSkillName } from '../../../packages/skills-core/src/contract/skill-name.ts';
import { parseAllowedTools } from '../../../packages/skills-core/src/format/allowed-tools.ts';
import type { FuzzTarget } from '../../../tools/fuzz/fuzz-target.ts';
import { bytesOf, textOf } from '../support/bytes.ts';
import { refusedOr } from '../support/orderly.ts';

/** Texts of users, models and skills that are looked into word by word: commands, patterns, arguments, snippets, paths and names. The first line is the pattern. */
export const target: FuzzTarget = {
  form: 'text',
  words: [
    '/billing ',
    ' ',
    '\t',
    '\n',
    'Bash(',
    'git:*)',
    'Read(',
    '**/',
    '*',
    '?',
    ')',
    '(',
    '"',
    "'",
    '\\',
    '$ARGUMENTS',
    '$ARGUMENTS[0]',
    '$0',
    '$name',
    '\\$1',
    '`',
    '```\n',
    '```!\n',
    '!`ls`',
    ' && ',
    ' || ',
    '; ',
    '| ',
    '$(',
    '>',
    '../',
    './',
    '%2e',
    '%252f',
    '#',
    '?a',
    'https://',
    'mcp__',
    '&',
    '=',
    ',',
  ],
  seeds: () =>
    bytesOf(
      'Bash(git:*)\ngit status',
      'Read(src/**)\n/src/../a.ts',
      '/billing now please\n/billing now',
      'WebFetch(domain:a.example)\nhttps://a.example/x',
      '$ARGUMENTS\nRun `$0` with "$name"\n```!\nls $1\n```\n!`date`',
      '{"lockVersion":1,"skills":{}}\nx',
    ),
  async run(input) {
    const text = textOf(input);
    const [pattern = '', ...lines] = text.split('\n');
    const rest = lines.join('\n');
    for (const [tool, toolInput] of [
      ['Bash', { command: rest }],
      ['Read', { file_path: rest }],
      ['WebFetch', { url: rest }],
      [rest, rest],
    ] as const) {
      for (const shell of ['posix', 'unknown'] as const)
        await refusedOr(() => matchesAllowedTool(pattern, { tool, input: toolInput }, { shell, root: '/src' }));
    }
    parseAllowedTools(text);
    parseSkillCommand(text);
    findSnippets(text);
    const skill = { body: text, arguments: ['name', 'other'], argumentHint: '[a]' };
    await refusedOr(() => applyArguments(skill, pattern));
    await refusedOr(() => applyArguments({ body: pattern }, rest));
    normalizeSkillName(pattern);
    suggestSkillName(text);
    await refusedOr(() => parseSkillLock(pattern));
    const path = await refusedOr(() => normalizeResourcePath(pattern));
    if (path !== undefined && (path.startsWith('/') || path.split('/').includes('..'))) throw new Error(`The path ${path} leads out.`);
  },
};
