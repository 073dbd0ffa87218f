import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAgent } from '@repertoire/declarative';
import { checkAgentFile, runAgentFile } from '@repertoire/declarative/node';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { single, user } from './agents.ts';

const asks = `
state: { said: { type: list, reducer: append } }
nodes:
  - { name: first, type: interrupt, args: { value: '"Sure?"', state_updates: { said: '[answer]' } } }
  - { name: second, type: interrupt, args: { value: 'state.said', state_updates: { said: '[answer]' } } }
`;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-declarative-'));
  await writeFile(join(folder, 'good.agent.yaml'), single(`{ prompt: '"S"' }`));
  await writeFile(join(folder, 'bad.agent.yaml'), 'nodes: [{ name: a, type: set_state, args: { state_updates: { lgo: "1" } } }]\n');
  await writeFile(join(folder, 'asks.agent.yaml'), asks);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('files', () => {
  it('DEC-1: a check has a line for each problem, and none for a good file', async () => {
    expect(await checkAgentFile(join(folder, 'good.agent.yaml'))).toEqual({ ok: true, problems: [], lines: [] });
    const { ok, lines } = await checkAgentFile(join(folder, 'bad.agent.yaml'));
    expect([ok, lines]).toEqual([false, [expect.stringMatching(/^bad\.agent\.yaml:1:62 There is no channel "lgo"/)]]);
    const { lines: strict } = await checkAgentFile(join(folder, 'good.agent.yaml'), { models: {} });
    expect(strict).toEqual([expect.stringMatching(/^good\.agent\.yaml:\d+:\d+ The host gives no model "main"\./)]);
  });

  it('DEC-1: a file is run without reading it by hand', async () => {
    const steps: string[] = [];
    const { text, questions } = await runAgentFile(join(folder, 'good.agent.yaml'), {
      models: { main: scriptedModel([{ text: 'Here.' }]) },
      input: 'Hi',
      onStep: ({ node, messages }) => steps.push(`${node}: ${messages.map((message) => message.text).join()}`),
    });
    expect([text, questions, steps]).toEqual(['Here.', [], ['answer: Here.']]);
  });
});

describe('folders of skills', () => {
  it('DEC-1: a link in the place of a folder leads nowhere outside of what the host allows (ATK-71)', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'repertoire-outside-'));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    const skill = async (at: string, name: string): Promise<void> => {
      await mkdir(join(at, name), { recursive: true });
      await writeFile(join(at, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`);
    };
    await skill(outside, 'secret');
    await skill(join(folder, 'own'), 'mine');
    await symlink(outside, join(folder, 'out'));
    await symlink(join(folder, 'own'), join(folder, 'in'));
    const file = join(folder, 'links.agent.yaml');
    const checked = async (place: string, within: readonly string[] = []): Promise<readonly string[]> => {
      await writeFile(file, `skills: [{ folder: ${place} }]\n${single(`{ prompt: '"S"' }`)}`);
      const opened: string[] = [];
      const sources = {
        folder: (location: URL) => {
          opened.push(location.href);
          return fileSystemSkillProvider({ roots: [location] });
        },
      };
      const { lines } = await checkAgentFile(file, { within, sources, trusted: false });
      return [...lines, ...opened.map(() => 'opened')];
    };
    expect(await checked('out')).toEqual([expect.stringMatching(/The host does not allow .*\/out/)]);
    expect(await checked('out/secret')).toEqual([expect.stringMatching(/The host does not allow/)]);
    for (const place of ['in', 'own', '.']) expect(await checked(place), place).toEqual(['opened']);
    expect(await checked('out', [outside])).toEqual(['opened']);
  });
});

describe('questions', () => {
  it('DEC-1: a run stops at a question, and says which', async () => {
    const { questions, state } = await runAgent(asks, { input: {} });
    expect(questions).toEqual([{ id: expect.any(String), value: 'Sure?' }]);
    expect(state).not.toHaveProperty('__interrupt__');
  });

  it('DEC-1: answers lead it to its end', async () => {
    const asked: unknown[] = [];
    const { questions, state } = await runAgentFile(join(folder, 'asks.agent.yaml'), {
      input: user('Hi'),
      answer: ({ value }) => `${asked.push(value)}. yes`,
    });
    expect([asked, questions, state['said']]).toEqual([['Sure?', ['1. yes']], [], ['1. yes', '2. yes']]);
  });

  it('DEC-1: an agent that asks for ever is ended', async () => {
    const loop = `
nodes: [{ name: ask, type: interrupt, args: { value: '"Again?"', state_updates: {} } }]
edges: [{ source: START, target: ask }, { source: ask, target: ask }]
`;
    let count = 0;
    await expect(runAgent(loop, { input: {}, answer: () => (count += 1) })).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(count).toBe(101);
  });
});
