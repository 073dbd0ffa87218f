import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HumanMessage } from '@langchain/core/messages';
import { Command, MemorySaver, MessagesValue, StateGraph, StateSchema } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { langGraphSkills, skillsState, type SkillToolSource } from '@repertoire/adapter-langchain/langgraph';
import { mcpTools } from '@repertoire/adapter-langchain/mcp';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel, type ScriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { createAgent, type AgentMiddleware } from 'langchain';
import { afterAll, describe, expect, it } from 'vitest';
import { cardProvider, isRunning, stdioServers } from './card-skills.ts';
import { approvals } from './host-middleware.ts';
import { startHttpServer } from './mcp-server.ts';
import { toolTexts, turn } from './scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'repertoire-connections-'));
afterAll(() => rmSync(folder, { recursive: true }));
const stdioServer = await stdioServers();
const thread = { configurable: { thread_id: 'one' } };
const input = () => ({ messages: [new HumanMessage('Go')] });
const State = new StateSchema({ messages: MessagesValue, ...skillsState });

function graphOf(kind: string, pid: string, model: ScriptedChatModel, source: SkillToolSource, more: AgentMiddleware[] = []) {
  const skillset = createSkillset({ provider: cardProvider([{ name: 'weather', fields: { mcps: stdioServer(pid) } }]) });
  const options = { toolSources: [source] };
  const checkpointer = new MemorySaver();
  return kind === 'agent'
    ? createAgent({ model, checkpointer, middleware: [skillsMiddleware(skillset, options) as AgentMiddleware, ...more] }).graph
    : langGraphSkills(skillset, options).addTo(new StateGraph(State), { model }).compile({ checkpointer });
}

/** Timers that a test fires. */
function manualTimers() {
  const waiting = new Set<() => void>();
  const setTimer = (callback: () => void): (() => void) => {
    waiting.add(callback);
    return () => waiting.delete(callback);
  };
  const fire = () => {
    for (const callback of waiting) {
      waiting.delete(callback);
      callback();
    }
  };
  return { waiting, setTimer, fire };
}

describe.each(['agent', 'graph'])('connections of a run that ends badly (%s)', (kind) => {
  it('SRC-7: a model that fails closes them at once', async () => {
    const pid = join(folder, `${kind}-failed.pid`);
    await using source = mcpTools({ stdio: true, idleMs: Number.POSITIVE_INFINITY });
    let ran = false;
    const model = scriptedModel((_call, index) => {
      if (index === 0) return turn(['load_skill', { name: 'weather' }]);
      ran = isRunning(pid);
      return { error: new Error('The model is down.') };
    });
    await expect(graphOf(kind, pid, model, source).invoke(input() as never, thread)).rejects.toThrow('The model is down.');
    expect([ran, isRunning(pid)]).toEqual([true, false]);
  });

  it('SRC-7: so does a run that is given up while the model answers', async () => {
    const pid = join(folder, `${kind}-aborted.pid`);
    await using source = mcpTools({ stdio: true, idleMs: Number.POSITIVE_INFINITY });
    const closed = Promise.withResolvers<void>();
    const watched: SkillToolSource = {
      open: (skill, request) => source.open(skill, request),
      close: async (conversation, skill) => {
        await source.close(conversation, skill);
        closed.resolve();
      },
    };
    const controller = new AbortController();
    const model = scriptedModel((_call, index) => {
      if (index === 0) return turn(['load_skill', { name: 'weather' }]);
      controller.abort(new Error('The user left.'));
      return turn('Too late.');
    });
    const graph = graphOf(kind, pid, model, watched);
    await expect(graph.invoke(input() as never, { ...thread, signal: controller.signal })).rejects.toThrow();
    // The framework rejects without waiting for its nodes.
    await closed.promise;
    expect(isRunning(pid)).toBe(false);
  });
});

describe('connections that nobody uses', () => {
  it('SRC-7: are closed after a while, as those of a run that waits for a person, and are there again when it goes on', async () => {
    const pid = join(folder, 'idle.pid');
    const { waiting, setTimer, fire } = manualTimers();
    await using source = mcpTools({ stdio: true, idleMs: 1_000, setTimer });
    const model = scriptedModel([turn(['load_skill', { name: 'weather' }]), turn(['forecast', { city: 'Oslo' }]), turn('Rain.')]);
    const graph = graphOf('agent', pid, model, source, [approvals('forecast')]);
    expect(await graph.invoke(input() as never, thread)).toHaveProperty('__interrupt__');
    expect([isRunning(pid), waiting.size]).toEqual([true, 1]);
    fire();
    // Disposing waits for what is being closed.
    await source[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
    const { messages } = (await graph.invoke(
      new Command({ resume: { decisions: [{ type: 'approve' }] } }),
      thread,
    )) as unknown as ReturnType<typeof input>;
    expect(toolTexts(messages).at(-1)).toBe('Oslo: rain');
    expect([isRunning(pid), waiting.size]).toEqual([false, 0]);
  });

  it('SRC-7: are not idle while a tool runs; two conversations are idle each for itself; Infinity keeps them', async () => {
    await using server = await startHttpServer();
    const mcps = { weather: { transport: 'streamable-http', url: `${server.url}/mcp` } };
    const { skills } = await cardProvider([{ name: 'weather', fields: { mcps } }]).listSkills();
    const { waiting, setTimer, fire } = manualTimers();
    await using source = mcpTools({ setTimer });
    const open = async (conversation: string) => source.open(skills[0]!, { conversation, taken: new Set(), report: () => {} });
    const [forecast] = await open('a');
    await open('b');
    expect(waiting.size).toBe(2);
    const answer = forecast!.invoke({ city: 'Oslo' });
    // One use ends while another lasts.
    await open('a');
    expect(waiting.size).toBe(1);
    // It closes the other conversation only.
    fire();
    expect(await answer).toBe('Oslo: rain');
    expect(waiting.size).toBe(1);
    expect((await open('a'))[0]).toBe(forecast);
    await source.close('a');
    expect(waiting.size).toBe(0);

    await using kept = mcpTools({ setTimer, idleMs: Number.POSITIVE_INFINITY });
    await kept.open(skills[0]!, { conversation: 'a', taken: new Set(), report: () => {} });
    expect(waiting.size).toBe(0);
    expect(() => mcpTools({ idleMs: -1 })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
  });

  it('SRC-7: none is left of a skill that cannot be loaded, also not one that was still being made', async () => {
    const pid = join(folder, 'half.pid');
    const mcps = { ...stdioServer(pid), gone: { transport: 'stdio', command: join(folder, 'no-such-program') } };
    const { skills } = await cardProvider([{ name: 'weather', fields: { mcps } }]).listSkills();
    await using source = mcpTools({ stdio: true });
    await expect(source.open(skills[0]!, { conversation: 'a', taken: new Set(), report: () => {} })).rejects.toMatchObject({
      code: 'source-unavailable',
    });
    // Its process starts, is connected, and ends; that it was not wanted any more was known before.
    await expect.poll(() => [existsSync(pid), isRunning(pid)]).toEqual([true, false]);
  });

  it('SRC-7: why a server cannot be reached is told to the host, and not to the model', async () => {
    const command = join(folder, 'no-such-program');
    const mcps = { gone: { transport: 'stdio', command } };
    const skillset = createSkillset({ provider: cardProvider([{ name: 'broken', fields: { mcps } }]) });
    const told: string[] = [];
    const model = scriptedModel([turn(['load_skill', { name: 'broken' }]), turn('I cannot.')]);
    const ours = skillsMiddleware(skillset, {
      toolSources: [mcpTools({ stdio: true })],
      onDiagnostic: ({ message }) => told.push(message),
    });
    const result = await createAgent({ model, middleware: [ours] }).invoke(input());
    expect(JSON.stringify(result.messages)).not.toContain(folder);
    expect(told).toEqual([expect.stringMatching(/^The MCP server "gone" of skill "broken" cannot be reached: .*no-such-program/)]);
  });
});
