import { gunzipSync } from 'node:zlib';
import type { Skill } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import { fileTree } from '../src/library/file-tree.ts';
import { layoutIslands } from '../src/library/layout-islands.ts';
import { likenessMap } from '../src/library/likeness-map.ts';
import { defaultSettings, readSettings } from '../src/prompt/prompt-settings.ts';
import { settingsCode } from '../src/prompt/settings-code.ts';
import { changedSettings, settingsOfQuery } from '../src/prompt/settings-query.ts';
import { stepTurns } from '../src/recording/step-turns.ts';
import { packReport } from '../src/report/pack-report.ts';
import type { ReportData } from '../src/report/report-data.ts';
import { readableRequest, requestFor } from '../src/replay/readable-request.ts';
import { recordingShelf } from '../src/server/recording-shelf.ts';
import { lineDiff } from '../ui/diff/line-diff.ts';
import { lexMarkdown } from '../ui/text/lex-markdown.ts';

describe('what the page is made of', () => {
  it('AUT-3: a report that is too large leaves out texts of files, the longest first, and then copies of instructions', () => {
    const noise = (length: number): string =>
      Array.from({ length }, (_, index) => Math.floor(Math.abs(Math.sin(length + index)) * 36).toString(36)).join('');
    const files = Object.fromEntries([50_000, 20_000, 8_000, 3_000, 100].map((size) => [`${size}.md`, { text: noise(size) }]));
    const data = { files: { a: files }, skills: { a: { skillMd: noise(200) } } } as unknown as ReportData;
    const steps: string[][] = [];
    let limit = Number.POSITIVE_INFINITY;
    for (let step = 0; step < 7; step += 1) {
      const packed = packReport(data, limit);
      const kept = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as ReportData;
      steps.push([...Object.keys(kept.files['a'] ?? {}), ...(kept.skills['a']?.skillMd === '' ? [] : ['SKILL.md'])]);
      limit = packed.length - 1;
    }
    expect(steps).toEqual([
      ['50000.md', '20000.md', '8000.md', '3000.md', '100.md', 'SKILL.md'],
      ['20000.md', '8000.md', '3000.md', '100.md', 'SKILL.md'],
      ['8000.md', '3000.md', '100.md', 'SKILL.md'],
      ['3000.md', '100.md', 'SKILL.md'],
      ['100.md', 'SKILL.md'],
      ['SKILL.md'],
      [],
    ]);
  });

  it('AUT-3: a difference names lines, and folds what is the same', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = [...lines.slice(0, 10), 'new', ...lines.slice(11)];
    expect(lineDiff(lines.join('\n'), after.join('\n')).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'gap 7 lines without a change',
      'same line 7',
      'same line 8',
      'same line 9',
      'removed line 10',
      'added new',
      'same line 11',
      'same line 12',
      'same line 13',
      'gap 6 lines without a change',
    ]);
    expect(lineDiff('a', 'a')).toEqual([{ kind: 'same', text: 'a' }]);
    expect(lineDiff('', 'a')).toEqual([{ kind: 'added', text: 'a' }]);
  });

  it('AUT-3: Markdown that would cost time and stack without bound is text beyond a depth and a length', () => {
    const shapeOf = (text: string): string => JSON.stringify(lexMarkdown(text).tokens);
    const quotes = (text: string): number => shapeOf(text).split('"type":"blockquote"').length - 1;
    expect([quotes('> > > deep'), quotes(`${'>'.repeat(100)} deep`)]).toEqual([3, 24]);
    const hasEmphasis = (words: number): boolean => shapeOf('*a* '.repeat(words)).includes('"type":"em"');
    expect([hasEmphasis(500), hasEmphasis(1_000)]).toEqual([true, false]);
  });

  it('AUT-3: files are a tree, folders first', () => {
    const file = (path: string) => ({ path, kind: 'other', mediaType: 'text/plain', size: 1 }) as const;
    const tree = fileTree(['z.md', 'a.md', 'references/deep/b.md', 'references/a.md'].map(file));
    const names = (nodes: typeof tree): unknown[] =>
      nodes.map(({ name, children }) => (children.length === 0 ? name : [name, names(children as typeof tree)]));
    expect(names(tree)).toEqual([['references', [['deep', ['b.md']], 'a.md']], 'a.md', 'z.md']);
  });

  it('AUT-3: alike skills stand together on the map, which is the same each time', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pairs = [
      { a: 'a', b: 'b', likeness: 0.9 },
      { a: 'c', b: 'd', likeness: 0.5 },
      { a: 'd', b: 'e', likeness: 0.5 },
    ];
    const nodes = layoutIslands(names, pairs);
    expect(layoutIslands(names, pairs)).toEqual(nodes);
    const islandOf = Object.fromEntries(nodes.map(({ name, island }) => [name, island]));
    expect(islandOf).toEqual({ a: 1, b: 1, c: 0, d: 0, e: 0, f: null });
    const distance = (first: string, second: string): number => {
      const [a, b] = [first, second].map((name) => nodes.find((node) => node.name === name)!);
      return Math.hypot(a!.x - b!.x, a!.y - b!.y);
    };
    expect(distance('a', 'b')).toBeLessThan(distance('a', 'c'));
    expect(layoutIslands([], [])).toEqual([]);
    for (const [first] of names.entries())
      for (let second = first + 1; second < names.length; second += 1) expect(distance(names[first]!, names[second]!)).toBeGreaterThan(4);
  });

  it('AUT-3: an island is called by what counts most in its pairs, not by a word that all of it has a little', async () => {
    const pairs = ['ab', 'ac', 'ad', 'bc', 'bd', 'cd'];
    const descriptionOf = (letter: string): string => {
      const own = pairs.filter((pair) => pair.includes(letter)).flatMap((pair) => ['ka', 'lo', 'mi', 'nu'].map((end) => `${pair}${end}`));
      return `Common ${own.join(' ')}.`;
    };
    const plain = { version: null, body: '', resources: [], diagnostics: [] };
    const skills = ['a', 'b', 'c', 'd'].map((name): Skill => ({ ...plain, name, description: descriptionOf(name) }));
    const { pairs: alike, islands } = await likenessMap(skills);
    expect(alike.map(({ shared }) => [shared.length, shared.indexOf('common')])).toEqual(pairs.map(() => [5, 4]));
    expect(islands).toEqual([{ island: 0, words: ['abka', 'acka'] }]);
  });

  it('AUT-3: a prompt can be linked to: settings go into an address and come back', () => {
    const settings = { ...defaultSettings, maxTokens: 600, mode: 'both', gatedTools: 'a, b' } as const;
    const query = changedSettings(settings, defaultSettings);
    expect(query).toEqual({ maxTokens: '600', mode: 'both', gatedTools: 'a, b' });
    expect(settingsOfQuery(query, defaultSettings)).toEqual(settings);
    expect(settingsOfQuery({ maxTokens: 'many' }, defaultSettings)).toEqual(defaultSettings);
  });

  it('AUT-3: settings that cannot be are refused', () => {
    for (const given of [
      { format: 'yaml' },
      { maxTokens: '0' },
      { maxTokens: '1.5' },
      { framework: 7 },
      { instructions: 'x'.repeat(30_000) },
    ]) {
      expect(() => readSettings(given)).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    }
    expect(readSettings({ maxTokens: '50', unknown: '1' })).toEqual({ ...defaultSettings, maxTokens: 50 });
  });

  it('AUT-3: settings become the program that has this prompt', () => {
    const code = settingsCode({ ...defaultSettings, framework: 'ai-sdk', maxTokens: 600, gatedTools: 'deploy', gate: 'hide' });
    expect(code).toContain(`createSkillset({ provider, catalog: { maxTokens: 600 }, gates: { tools: ['deploy'] } })`);
    expect(code).toContain(`aiSdkSkills(skillset, { gate: 'hide' })`);
    expect(settingsCode({ ...defaultSettings, framework: 'langchain' })).toContain('middleware: [skillsMiddleware(skillset)]');
    expect(settingsCode({ ...defaultSettings, framework: 'openai-agents', gate: 'hide' })).toContain(
      "openAiAgentsSkills(skillset, { gate: 'hide' })",
    );
    expect(settingsCode(defaultSettings)).toContain('session.instructions("You are a helpful assistant.")');
  });

  it('AUT-3: of many recordings, those that came in last stay', () => {
    const shelf = recordingShelf();
    const ids = Array.from({ length: 52 }, (_, index) => shelf.add(`${index}`, `[{"role":"user","content":"${index}"}]`).id);
    expect(shelf.list().map(({ id }) => id)).toEqual(ids.slice(2));
    expect(ids.map((id) => shelf.get(id) !== undefined)).toEqual(ids.map((_, index) => index > 1));
  });

  it('AUT-3: steps that somebody made up are turns', () => {
    const turns = stepTurns([
      { kind: 'say', text: 'Hi' },
      { kind: 'read', skill: 's', path: 'p' },
      { kind: 'call', tool: 't', answer: 'ok' },
    ]);
    expect(turns).toMatchObject([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', parts: [{ tool: 'read_skill_file', input: { skill: 's', path: 'p' } }] },
      { role: 'tool', results: [{ output: '' }] },
      { role: 'assistant', parts: [{ tool: 't' }] },
      { role: 'tool', results: [{ tool: 't', output: 'ok' }] },
    ]);
  });

  it('AUT-3: each moment belongs to the request that it was part of', () => {
    const requests = [{ turn: 1 }, { turn: 3 }, { turn: null }];
    expect([0, 1, 2, 3, 4].map((turn) => requestFor(requests, turn))).toEqual([0, 0, 1, 1, 2]);
    expect(readableRequest({ system: 's', messages: ['{"a":"x\\ny"}'], tools: [] })).toContain('"a": "x\ny"');
  });
});
