import { describe, expect, it } from 'vitest';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import { parseAllowedTools } from '../../src/format/allowed-tools.ts';

describe('parseAllowedTools', () => {
  it.each([
    ['Read', 'none', ['Read']],
    ['Bash(git:*) Bash(jq:*) Read', 'space', ['Bash(git:*)', 'Bash(jq:*)', 'Read']],
    ['Read, Write,Edit', 'comma', ['Read', 'Write', 'Edit']],
    ['Read,\n  Write,\n  Edit,', 'comma', ['Read', 'Write', 'Edit']],
    ['Read, Write Edit', 'mixed', ['Read', 'Write', 'Edit']],
    ['Bash(git add *), Bash(cmd:psql,cmd:mysql)', 'comma', ['Bash(git add *)', 'Bash(cmd:psql,cmd:mysql)']],
    ['Bash(echo (a) (b)) Read', 'space', ['Bash(echo (a) (b))', 'Read']],
    ['Bash(git commit -m "a) b") Read', 'space', ['Bash(git commit -m "a) b")', 'Read']],
    ["Bash(echo don't) Read", 'space', ["Bash(echo don't)", 'Read']],
    ['"Azure MCP/documentation" Read', 'space', ['Azure MCP/documentation', 'Read']],
    ['mcp__server__* stitch*:*', 'space', ['mcp__server__*', 'stitch*:*']],
    ['Read Read, Read', 'mixed', ['Read']],
    ['- Read - Write', 'space', ['Read', 'Write']],
    [' ', 'none', []],
    ['null', 'none', []],
    ['~', 'none', []],
  ])('EDGE-18 FMT-1: splits the text %j', (text, form, patterns) => {
    expect(parseAllowedTools(text)).toEqual({ patterns, form, issues: [] });
  });

  it('EDGE-18 FMT-1: keeps elements of a list whole', () => {
    expect(parseAllowedTools([' Read ', 'Azure MCP/documentation', 'Bash(git add *)', 'Read', ''])).toEqual({
      patterns: ['Read', 'Azure MCP/documentation', 'Bash(git add *)'],
      form: 'list',
      issues: [],
    });
    expect(parseAllowedTools([])).toEqual({ patterns: [], form: 'list', issues: [] });
  });

  it.each([
    ['Read Bash(git add Write', ['Read'], 'Bash(git add Write'],
    ['Read) Write', ['Write'], 'Read)'],
    ['(git:*) Read', ['Read'], '(git:*)'],
    [['Bash(git', 'Read'], [], 'Bash(git,Read'],
    [['Bash)', 'Read'], ['Read'], 'Bash)'],
    [['Bash)(', 'Read'], [], 'Bash)(,Read'],
  ])('EDGE-18 FMT-1: %j asks for nothing with what does not fit together', (value, patterns, part) => {
    const parsed = parseAllowedTools(value);
    expect(parsed.patterns).toEqual(patterns);
    expect(parsed.issues).toEqual([{ code: 'unbalanced', message: expect.stringContaining(JSON.stringify(part)) }]);
  });

  it('EDGE-18 FMT-1: puts together what a space or YAML took apart, and never widens it', () => {
    expect(parseAllowedTools('Bash (git:*) Read')).toMatchObject({ patterns: ['Bash(git:*)', 'Read'], issues: [{ code: 'joined' }] });
    expect(parseAllowedTools(['Bash(cmd:psql', 'cmd:mysql)', 'Read'])).toMatchObject({
      patterns: ['Bash(cmd:psql,cmd:mysql)', 'Read'],
      issues: [{ code: 'joined' }],
    });
    expect(parseAllowedTools('Bash (git')).toMatchObject({ patterns: [] });
  });

  it('EDGE-18 FMT-1: says what is no text', () => {
    expect(parseAllowedTools({ Read: 'true' })).toMatchObject({ patterns: [], issues: [{ code: 'not-text' }] });
    expect(parseAllowedTools(['Read', ['Write']])).toMatchObject({ patterns: ['Read'], issues: [{ code: 'not-text' }] });
  });
});

describe('parseAllowedTools with labels', () => {
  it.each([
    ['bash: ls, rm\nfile: read', 'bash:'],
    ['Read, file: write', 'file:'],
  ])('FMT-2: %j asks for nothing, and says so', (text, label) => {
    const { patterns, issues } = parseAllowedTools(text);
    expect([patterns, issues]).toEqual([[], [{ code: 'labelled', message: expect.stringContaining(label) }]]);
  });

  it('FMT-2: a map asks for nothing; a colon inside a pattern is none of a label', () => {
    expect(parseAllowedTools({ bash: 'ls, rm' })).toMatchObject({ patterns: [], issues: [{ code: 'not-text' }] });
    expect(parseAllowedTools('Bash(git: *) mcp:read').patterns).toEqual(['Bash(git: *)', 'mcp:read']);
  });

  it('EDGE-18 FMT-1: a file says which entries name no tool', () => {
    const read = (value: string) => parseSkillMd(`---\nname: a\ndescription: d\nallowed-tools: ${value}\n---\nBody.`);
    const { diagnostics } = read('[Read, 42, true, ~]');
    expect(diagnostics.filter(({ code }) => code === 'allowed-tools-syntax').map(({ message }) => message)).toEqual([
      'allowed-tools: "42" names no tool.',
      'allowed-tools: "true" names no tool.',
      'allowed-tools: "~" names no tool.',
    ]);
    expect(read('42').diagnostics.map(({ code }) => code)).toEqual(['allowed-tools-syntax']);
    expect(read('"* _x 工具 mcp__a"').diagnostics).toEqual([]);
  });

  it('FMT-1: says what it joined once, in few words, however many parts there were', () => {
    const { patterns, issues } = parseAllowedTools(`Bash ${'(a) '.repeat(5_000)}`);
    expect(patterns).toEqual([`Bash${'(a)'.repeat(5_000)}`]);
    expect(issues.map(({ code }) => code)).toEqual(['joined']);
    const list = parseAllowedTools(['Bash(', ...Array.from({ length: 5_000 }, () => 'a('), 'b)', 'Read']);
    expect(list).toMatchObject({ patterns: ['Read'], issues: [{ code: 'unbalanced' }] });
    for (const { message } of [...issues, ...list.issues]) expect(message.length).toBeLessThan(400);
  });
});
