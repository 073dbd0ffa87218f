import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createSkillset, defineSkill, skillAllowedTools } from '@repertoire/skills-core';
import { skillsMiddleware, withSkillState } from '@repertoire/adapter-langchain';
import { forkToAgent, needsApproval } from '@repertoire/adapter-langchain/langgraph';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createSkillsMiddleware, FilesystemBackend } from 'deepagents';
import { contextEditingMiddleware, ClearToolUsesEdit, createAgent, createMiddleware, type AgentMiddleware } from 'langchain';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collect } from './collect.ts';
import { approvals, summarization } from './host-middleware.ts';
import { hostTools, skills } from './billing-skills.ts';
import { systemText, toolTexts, turn, unansweredCalls } from './scripts.ts';

const skillset = createSkillset({ skills });
const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });

describe('what holds while a skill is loaded', () => {
  it('GOV-2: allowed-tools are enforced on the agent’s other tools too, and calls that may run do run', async () => {
    const strict = createSkillset({
      allowedTools: skillAllowedTools({ policy: 'restrict' }),
      skills: [defineSkill({ name: 'reader', description: 'Reads.', body: 'Read only.', allowedTools: ['lookup_order'] })],
    });
    const { ran, search_docs, lookup_order } = hostTools();
    const model = scriptedModel([
      turn(['search_docs', { query: 'before' }]),
      turn(['load_skill', { name: 'reader' }]),
      turn(['search_docs', { query: 'a' }], ['lookup_order', { id: 'b' }]),
      turn(['search_docs', { query: 'c' }]),
      turn('Done.'),
    ]);
    const { messages } = await createAgent({ model, tools: [search_docs, lookup_order], middleware: [skillsMiddleware(strict)] }).invoke(
      user('Go'),
    );
    expect(ran).toEqual(['search before', 'order b']);
    expect(toolTexts(messages).filter((text) => text.startsWith('failed'))).toEqual([
      expect.stringMatching(
        /^failed: Error \(permission-denied\): This call of search_docs is not allowed while the skill "reader" is active/,
      ),
      expect.stringMatching(/^failed: Error \(permission-denied\)/),
    ]);
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('GOV-2: a tool that a skill pre-approves needs no person; the same call before it is loaded does', async () => {
    const trusting = createSkillset({
      allowedTools: skillAllowedTools({ policy: 'pre-approve' }),
      skills: [defineSkill({ name: 'finder', description: 'Finds.', body: 'Search.', allowedTools: ['search_docs'] })],
    });
    const { ran, search_docs } = hostTools();
    const model = scriptedModel([
      turn(['load_skill', { name: 'finder' }]),
      turn(['search_docs', { query: 'a' }]),
      turn('Done.'),
      turn(['search_docs', { query: 'b' }]),
    ]);
    const agent = createAgent({
      model,
      tools: [search_docs],
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(trusting), withSkillState(approvals('search_docs', needsApproval(trusting)))],
    });
    await agent.invoke(user('Go'), { configurable: { thread_id: 'with' } });
    expect(ran).toEqual(['search a']);
    const asked = await agent.invoke(user('Go'), { configurable: { thread_id: 'without' } });
    expect(asked).toHaveProperty('__interrupt__');
    expect(ran).toEqual(['search a']);
  });

  it('GOV-6: an untrusted skill can neither open a tool of a trusted one, nor shut the agent out of its own tools', async () => {
    const skill = (name: string, trusted: boolean, tools: string[], allowedTools?: string[]) => ({
      name,
      description: name,
      body: name,
      version: null,
      resources: [],
      diagnostics: [],
      tools,
      ...(allowedTools && { allowedTools }),
      origin: { kind: 'x', label: 'x', trusted },
    });
    const all = [skill('honest', true, ['process_refund']), skill('sly', false, ['process_refund', 'search_docs', 'load_skill'])];
    const provider = {
      label: 'x',
      listSkills: async () => ({ skills: all, diagnostics: [], complete: true }),
      getSkill: async (name: string) => all.find((each) => each.name === name) ?? null,
      readResource: async () => null,
    };
    const { ran, process_refund, search_docs } = hostTools();
    for (const gate of ['refuse', 'hide'] as const) {
      ran.length = 0;
      const model = scriptedModel([
        turn(['search_docs', { query: 'a' }]),
        turn(['load_skill', { name: 'sly' }]),
        turn(['process_refund', { amount: 1 }]),
        turn(['load_skill', { name: 'honest' }]),
        turn(['process_refund', { amount: 2 }]),
        turn('Done.'),
      ]);
      const middleware = skillsMiddleware(
        createSkillset({ provider, allowedTools: skillAllowedTools({ policy: 'restrict' }), gates: { tools: ['process_refund'] } }),
        {
          tools: [process_refund],
          gate,
        },
      );
      await createAgent({ model, tools: [search_docs], middleware: [middleware] }).invoke(user('Go'), { recursionLimit: 50 });
      expect(ran).toEqual(['search a', 'refund 2']);
      expect(model.calls[0]!.toolNames).toEqual(expect.arrayContaining(['search_docs', 'load_skill']));
    }
  });

  it.each(['map', 'function'])('GOV-3: a trusted loaded skill chooses among the models of the host, from a %s', async (kind) => {
    const choosing = createSkillset({
      skills: [
        defineSkill({ name: 'deep', description: 'Thinks.', body: 'Think.', model: 'big' }),
        defineSkill({ name: 'odd', description: 'Odd.', body: 'Odd.', model: 'unknown' }),
      ],
    });
    const reported: string[] = [];
    const small = scriptedModel([turn(['load_skill', { name: 'deep' }]), turn('Small again.')]);
    const big = scriptedModel([turn(['unload_skill', { name: 'deep' }], ['load_skill', { name: 'odd' }])]);
    const models = kind === 'map' ? { big } : (name: string) => (name === 'big' ? big : undefined);
    const { messages } = await createAgent({
      model: small,
      middleware: [skillsMiddleware(choosing, { models, onDiagnostic: ({ code }) => reported.push(code) })],
    }).invoke(user('Go'));
    expect(reported).toEqual(['unknown-model']);
    expect([small.calls.length, big.calls.length, messages.at(-1)?.text]).toEqual([2, 1, 'Small again.']);
  });

  it('GOV-4 GOV-7: a skill with context: fork runs in an agent of its own, which knows nothing of this one', async () => {
    const forking = createSkillset({
      skills: [
        defineSkill({ name: 'research', description: 'Researches.', body: 'Find out: $ARGUMENTS', context: 'fork', agent: 'Explore' }),
      ],
    });
    const inner = scriptedModel([turn('It is blue.'), { error: new Error('The model is down.') }]);
    const model = scriptedModel([
      turn(['load_skill', { name: 'research', arguments: 'the colour' }]),
      turn(['load_skill', { name: 'research', arguments: 'more' }]),
      turn('Done.'),
    ]);
    const kinds: (string | undefined)[] = [];
    const fork = forkToAgent(({ agent }) => {
      kinds.push(agent);
      return createAgent({ model: inner });
    });
    const result = await createAgent({ model, systemPrompt: 'Secret.', middleware: [skillsMiddleware(forking, { fork })] }).invoke(
      user('Go'),
    );
    expect(toolTexts(result.messages)).toEqual([
      '<skill_result name="research">\nIt is blue.\n</skill_result>',
      expect.stringMatching(/^<skill_result name="research">\n.*The model is down\./),
    ]);
    expect(result.loaded_skills).toEqual({});
    expect(kinds).toEqual(['Explore', 'Explore']);
    expect(inner.calls[0]?.toolNames).toEqual([]);
    expect(inner.calls[0]?.messages.map(({ text }) => text)).toEqual([expect.stringContaining('Find out: the colour')]);
  });

  it('GOV-5: who may not load a skill gets an answer, and the catalog of a run is that of its tenant', async () => {
    const tenants = createSkillset<{ tenant: string }>({
      skills,
      audience: {
        select: (skill, { tenant }) => tenant === 'gold' || skill.name !== 'billing',
        permissions: ({ action, skill }) => !(action === 'load' && skill.name === 'orders'),
      },
    });
    const model = scriptedModel((_call, index) =>
      index % 2 === 0 ? turn(['load_skill', { name: 'orders' }], ['load_skill', { name: 'billing' }]) : turn('Done.'),
    );
    const agent = createAgent({
      model,
      middleware: [
        skillsMiddleware(tenants, {
          contextSchema: z.object({ tenant: z.string() }),
          context: ({ context }) => context as { tenant: string },
        }),
      ],
    });
    const [gold, silver] = [
      await agent.invoke(user('Go'), { context: { tenant: 'gold' } }),
      await agent.invoke(user('Go'), { context: { tenant: 'silver' } }),
    ];
    expect(toolTexts(gold.messages)).toEqual([
      expect.stringMatching(/^failed: Error \(permission-denied\)/),
      expect.stringContaining('# Billing'),
    ]);
    expect(toolTexts(silver.messages)[1]).toMatch(/^failed: Error \(skill-not-found\)/);
    expect(systemText(model.calls[0]!)).toContain('Refunds and invoices');
    expect(systemText(model.calls[2]!)).not.toContain('Refunds and invoices');
    // @ts-expect-error: without the option `context`
    const without = createAgent({ model, middleware: [skillsMiddleware(tenants)] });
    await expect(without.invoke(user('Go'))).rejects.toMatchObject({ code: 'invalid-options' });
  });

  it('DIS-16: a person starts a skill by its name, also one that the model may not; any other message passes', async () => {
    const own = createSkillset({
      skills: [
        ...skills,
        defineSkill({
          name: 'deploy',
          description: 'Deploys.',
          body: 'Deploy $ARGUMENTS.',
          disableModelInvocation: true,
          tools: ['search_docs'],
        }),
      ],
    });
    const { search_docs, ran } = hostTools();
    const run = async (text: string, ...turns: ReturnType<typeof turn>[]) => {
      const model = scriptedModel(turns);
      const result = await createAgent({ model, middleware: [skillsMiddleware(own, { tools: [search_docs], commands: true })] }).invoke(
        user(text),
      );
      return { result, seen: model.calls[0]!.messages };
    };
    const { result, seen } = await run('/deploy to Oslo', turn(['search_docs', { query: 'x' }]), turn('Done.'));
    expect(seen.at(-1)?.text).toContain('Deploy to Oslo.');
    expect(unansweredCalls(result.messages)).toEqual([]);
    expect(result.loaded_skills).toHaveProperty('deploy');
    expect(ran).toEqual(['search x']);
    for (const text of ['/etc/hosts is what?', '/nothing', 'deploy'])
      expect((await run(text, turn('Hm.'))).seen.filter(({ type }) => type === 'tool')).toEqual([]);
  });

  it('GOV-10: conversations at once, on one agent, never see each other', async () => {
    const { tools } = hostTools();
    const model = scriptedModel(({ messages }) => {
      const wanted = messages.find(({ type }) => type === 'human')?.text ?? '';
      const done = messages.filter(({ type }) => type === 'tool').length;
      return done === 0 ? turn(['load_skill', { name: wanted }]) : turn('Done.');
    });
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [skillsMiddleware(skillset, { tools })] });
    const wanted = Array.from({ length: 20 }, (_, index) => skills[index % skills.length]!.name);
    const results = await Promise.all(wanted.map((name, index) => agent.invoke(user(name), { configurable: { thread_id: `t${index}` } })));
    expect(results.map(({ loaded_skills }) => Object.keys(loaded_skills))).toEqual(wanted.map((name) => [name]));
  });
});

describe('beside other middleware', () => {
  it.each(['before', 'after'])(
    'DIS-13: the summarization middleware, listed %s it, cannot take away what a loaded skill says',
    async (place) => {
      const summarize = summarization({
        model: scriptedModel(() => ({ text: 'Short.' })),
        trigger: { messages: 4 },
        keep: { messages: 1 },
      });
      const ours = skillsMiddleware(skillset, { tools: hostTools().tools });
      const model = scriptedModel([
        turn(['load_skill', { name: 'billing' }]),
        turn(['process_refund', { amount: 1 }]),
        turn(['load_skill', { name: 'billing' }]),
        turn('Done.'),
      ]);
      await createAgent({ model, middleware: place === 'before' ? [summarize, ours] : [ours, summarize] }).invoke(user('Go'));
      for (const call of model.calls.slice(1)) {
        expect(call.messages.filter(({ text }) => text.includes('# Billing')).length).toBeGreaterThan(0);
        expect(unansweredCalls(call.messages)).toEqual([]);
      }
      expect(model.calls.at(-1)?.messages.some(({ text }) => text.includes('Short.'))).toBe(true);
    },
  );

  it('DIS-13: nor can context editing', async () => {
    const edits = contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 0 } })] });
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    await createAgent({ model, middleware: [edits, skillsMiddleware(skillset)] }).invoke(user('Go'));
    const texts = model.calls[1]!.messages.map(({ text }) => text);
    expect(texts.some((text) => text.includes('[cleared]'))).toBe(true);
    expect(texts.some((text) => text.includes('Five, seven, five.'))).toBe(true);
  });

  it('DIS-13: with restore: false it is left to the model to ask again', async () => {
    const edits = contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens: 1 }, keep: { messages: 0 } })] });
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    await createAgent({ model, middleware: [edits, skillsMiddleware(skillset, { restore: false })] }).invoke(user('Go'));
    expect(model.calls[1]!.messages.some(({ text }) => text.includes('Five, seven, five.'))).toBe(false);
  });

  it('DIS-12: instructions are repeated after so many tokens, at places that stay; the conversation itself keeps one copy', async () => {
    const repeating = createSkillset({ skills, conversation: { refresh: { afterTokens: 300 } } });
    const { search_docs } = hostTools();
    const long = (index: number) => turn(['search_docs', { query: `${index} ${'word '.repeat(150)}` }]);
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), long(1), long(2), turn('Done.')]);
    const { messages } = await createAgent({
      model,
      tools: [search_docs],
      middleware: [skillsMiddleware(repeating)],
    }).invoke(user('Go'));
    const count = (among: readonly { readonly text: string }[]) => among.filter(({ text }) => text.includes('Five, seven, five.')).length;
    expect(model.calls.map((call) => count(call.messages))).toEqual([0, 1, 2, 3]);
    expect(count(messages)).toBe(1);
    const texts = model.calls.map((call) => call.messages.map(({ type, text }) => `${type}: ${text}`));
    for (const [index, shown] of texts.entries()) expect(shown.slice(0, texts[index - 1]?.length ?? 0)).toEqual(texts[index - 1] ?? []);
    expect(unansweredCalls(messages)).toEqual([]);
  });

  it('ADP-1: deepagents’ own skills middleware keeps its name, its state and its place', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-deepagents-'));
    try {
      mkdirSync(join(folder, 'skills', 'invoicing'), { recursive: true });
      writeFileSync(join(folder, 'skills', 'invoicing', 'SKILL.md'), '---\nname: invoicing\ndescription: Makes invoices.\n---\nBody.');
      const theirs = createSkillsMiddleware({
        backend: new FilesystemBackend({ rootDir: folder, virtualMode: true }),
        sources: ['/skills/'],
      });
      for (const middleware of [
        [theirs as AgentMiddleware, skillsMiddleware(skillset) as AgentMiddleware],
        [skillsMiddleware(skillset) as AgentMiddleware, theirs as AgentMiddleware],
      ]) {
        const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
        const result = await createAgent({ model, middleware }).invoke(user('Go'));
        expect(systemText(model.calls[1]!)).toContain('Makes invoices.');
        expect(systemText(model.calls[1]!)).toContain('Writes haiku.');
        expect((result as unknown as { loaded_skills: object }).loaded_skills).toHaveProperty('haiku');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('ADP-1: a wrapToolCall of the host sees the skill tools like any other, and a person may be asked before a skill is loaded', async () => {
    const seen: string[] = [];
    const watch = createMiddleware({
      name: 'Watch',
      wrapToolCall: (request, handler) => {
        seen.push(request.toolCall.name);
        return handler(request);
      },
    });
    const agent = createAgent({
      model: scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]),
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(skillset), watch, approvals('load_skill')],
    });
    const thread = { configurable: { thread_id: 'one' } };
    expect(await agent.invoke(user('Go'), thread)).toHaveProperty('__interrupt__');
    const result = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread);
    expect(result.loaded_skills).toHaveProperty('haiku');
    expect(seen).toEqual(['load_skill']);
  });

  it('GOV-1: a call that a person approved is refused all the same while its tool is locked', async () => {
    const { ran, tools } = hostTools();
    const agent = createAgent({
      model: scriptedModel([turn(['process_refund', { amount: 9 }]), turn('Done.')]),
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(skillset, { tools }), approvals('process_refund')],
    });
    const thread = { configurable: { thread_id: 'one' } };
    expect(await agent.invoke(user('Go'), thread)).toHaveProperty('__interrupt__');
    const { messages } = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread);
    expect(ran).toEqual([]);
    expect(toolTexts(messages)).toEqual([expect.stringMatching(/^failed: Error \(not-loaded\)/)]);
  });

  it('DIS-15: streams of an agent tell what happens to skills', async () => {
    const agentOf = () =>
      createAgent({
        model: scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]),
        middleware: [skillsMiddleware(skillset)],
      });
    expect(await collect(await agentOf().stream(user('Go'), { streamMode: 'custom' }))).toEqual([
      { type: 'skill_loaded', skill: 'haiku', version: null },
    ]);
    const messages = (await collect(await agentOf().stream(user('Go'), { streamMode: 'messages' }))).map(([message]) => message);
    expect(messages.filter((message) => ToolMessage.isInstance(message)).map(({ name }) => name)).toEqual(['load_skill']);
    const events = await collect(agentOf().streamEvents(user('Go'), { version: 'v2' }));
    expect(events.filter(({ event }) => event === 'on_custom_event').map(({ name }) => name)).toEqual(['skill_loaded']);
  });

  it('DIS-15: traces of model calls name the loaded skills', async () => {
    const named: unknown[] = [];
    const model = scriptedModel([turn(['load_skill', { name: 'haiku' }]), turn('Done.')]);
    model.callbacks = [
      { handleChatModelStart: (...[, , , , , , metadata]: unknown[]) => void named.push((metadata as Record<string, unknown>)['skills']) },
    ];
    await createAgent({ model, middleware: [skillsMiddleware(skillset)] }).invoke(user('Go'));
    expect(named).toEqual([undefined, ['haiku']]);
  });
});
