import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run, setTracingDisabled } from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from '@openai/agents-core/testing';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { aiSdkSkills } from '@repertoire/adapter-vercel-ai';
import { run as runCommand } from '@repertoire/cli';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { memoryProposalStore, skillProposals, type SkillProposalStore } from '@repertoire/skill-proposals';
import { folderProposalStore } from '@repertoire/skill-proposals/node';
import { createSkillset } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/ai-sdk';
import { scriptedModel as scriptedChatModel } from '@repertoire/skills-testkit/langchain';
import { generateText, isStepCount } from 'ai';
import { Command, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { createAgent, HumanMessage, humanInTheLoopMiddleware, type AgentMiddleware } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';

setTracingDisabled(true);

const skillMd =
  '---\nname: weekly-report\ndescription: Writes the weekly report. Use when a report of the week is wanted.\n---\n\nTickets first, then three sentences.\n';
const call = { skill: 'weekly-report', reason: 'Asked for three times.', files: [{ path: 'SKILL.md', text: skillMd }] };
const skillsetOf = (store: SkillProposalStore) => createSkillset({ skills: [], proposals: skillProposals({ store }) });
const noted = 'The proposal for skill "weekly-report" is noted.';

describe('an agent proposes a skill', () => {
  it('PRP-3: AI SDK', async () => {
    const store = memoryProposalStore();
    const skills = await aiSdkSkills(skillsetOf(store), {});
    const model = scriptedModel([{ toolCalls: [{ toolName: 'propose_skill', input: call }] }, { text: 'Done.' }]);
    await generateText({ model, prompt: 'Write the report.', stopWhen: isStepCount(3), ...skills.agentSettings() });
    expect(await store.list()).toHaveLength(1);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain(JSON.stringify(noted).slice(1, -1));
  });

  it('PRP-3: AI SDK, after a person let it', async () => {
    const store = memoryProposalStore();
    const skills = await aiSdkSkills(skillsetOf(store), {});
    const model = scriptedModel([{ toolCalls: [{ toolName: 'propose_skill', input: call }] }, { text: 'Done.' }]);
    const settings = skills.agentSettings({ toolApproval: { propose_skill: 'user-approval' } });
    const { content } = await generateText({ model, prompt: 'Write the report.', stopWhen: isStepCount(3), ...settings });
    expect(content.map(({ type }) => type)).toContain('tool-approval-request');
    expect(await store.list()).toEqual([]);
  });

  it('PRP-3: LangChain', async () => {
    const store = memoryProposalStore();
    const model = scriptedChatModel([{ toolCalls: [{ toolName: 'propose_skill', input: call }] }, { text: 'Done.' }]);
    const agent = createAgent({ model, tools: [], middleware: [skillsMiddleware(skillsetOf(store))] });
    const { messages } = await agent.invoke({ messages: [new HumanMessage('Write the report.')] });
    expect(await store.list()).toHaveLength(1);
    expect(messages.map(({ text }) => text).join('\n')).toContain(noted);
  });

  it('PRP-3: OpenAI Agents SDK', async () => {
    const store = memoryProposalStore();
    const skills = openAiAgentsSkills<object>(skillsetOf(store), {});
    const model = new ScriptedModel([
      modelResponder(() => [functionCall('propose_skill', call, { callId: 'c1' })]),
      modelResponder(() => [assistantMessage('Done.')]),
    ]);
    const agent = skills.agent({ name: 'clerk', model });
    const { newItems } = await run(agent, 'Write the report.', { context: {}, callModelInputFilter: skills.callModelInputFilter });
    expect(await store.list()).toHaveLength(1);
    expect(JSON.stringify(newItems.map(({ rawItem }) => rawItem))).toContain(JSON.stringify(noted).slice(1, -1));
  });

  it('PRP-3: LangChain, after a person let it', async () => {
    // Its types do not go with `exactOptionalPropertyTypes`.
    const askingToPropose = humanInTheLoopMiddleware({
      interruptOn: { propose_skill: true },
    } as never) as unknown as AgentMiddleware<undefined>;
    const store = memoryProposalStore();
    const model = scriptedChatModel([{ toolCalls: [{ toolName: 'propose_skill', input: call }] }, { text: 'Done.' }]);
    const agent = createAgent({
      model,
      tools: [],
      checkpointer: new MemorySaver(),
      middleware: [skillsMiddleware(skillsetOf(store)), askingToPropose],
    });
    const thread = { configurable: { thread_id: 'a' } };
    const asked = await agent.invoke({ messages: [new HumanMessage('Write the report.')] }, thread);
    expect(isInterrupted(asked)).toBe(true);
    expect(await store.list()).toEqual([]);
    await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), thread);
    expect(await store.list()).toHaveLength(1);
  });

  it('PRP-3: OpenAI Agents SDK, after a person let it', async () => {
    const store = memoryProposalStore();
    const skills = openAiAgentsSkills<object>(skillsetOf(store), { needsApproval: { propose_skill: true } });
    const again = { ...call, reason: 'Asked for four times.' };
    const model = new ScriptedModel([
      modelResponder(() => [functionCall('propose_skill', call, { callId: 'c1' })]),
      modelResponder(() => [functionCall('propose_skill', again, { callId: 'c2' })]),
      modelResponder(() => [assistantMessage('Done.')]),
    ]);
    const agent = skills.agent({ name: 'clerk', model });
    const asked = await run(agent, 'Write the report.', { context: {} });
    expect(asked.interruptions.map(({ name }) => name)).toEqual(['propose_skill']);
    expect(await store.list()).toEqual([]);
    asked.interruptions.forEach((item) => asked.state.reject(item));
    const askedAgain = await run(agent, asked.state);
    expect(await store.list()).toEqual([]);
    askedAgain.interruptions.forEach((item) => askedAgain.state.approve(item));
    expect((await run(agent, askedAgain.state)).finalOutput).toBe('Done.');
    expect(await store.list()).toHaveLength(1);
  });

  it('PRP-3: OpenAI Agents SDK refuses a name that would leave the tool without a question', () => {
    const make = () => openAiAgentsSkills(skillsetOf(memoryProposalStore()), { needsApproval: { propose_skil: true } });
    expect(make).toThrow(/"propose_skil", which is no skill tool\. They are .*propose_skill/);
  });
});

it('PRP-4: the whole way: an agent proposes, checks run, a person accepts, the next conversation uses it, undo takes it back', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'proposals-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await mkdir(path.join(cwd, 'skills/haiku'), { recursive: true });
  await writeFile(
    path.join(cwd, 'skills/haiku/SKILL.md'),
    '---\nname: haiku\ndescription: Writes haiku. Use for short poems.\n---\n\nFive, seven, five.\n',
  );
  const store = folderProposalStore(path.join(cwd, 'proposals'));
  const provider = fileSystemSkillProvider({ roots: [path.join(cwd, 'skills')], staleAfterMs: 0 });
  const skillset = createSkillset({ provider, proposals: skillProposals({ store }) });
  const converse = async (script: Parameters<typeof scriptedModel>[0]) => {
    const skills = await aiSdkSkills(skillset, {});
    const model = scriptedModel(script);
    await generateText({ model, prompt: 'Write the weekly report.', stopWhen: isStepCount(4), ...skills.agentSettings() });
    return JSON.stringify(model.calls.map(({ prompt }) => prompt));
  };
  const command = async (...words: string[]) => {
    let out = '';
    const code = await runCommand(['proposals', ...words, '--json'], {
      cwd,
      stdout: { write: (text) => (out += text) },
      stderr: { write: () => true },
    });
    return {
      code,
      data: JSON.parse(out) as { readonly content: string; readonly proposals: readonly { readonly id: string }[] },
    };
  };
  await runCommand(['lock', 'write', 'skills'], { cwd, stdout: { write: () => true }, stderr: { write: () => true } });
  const lockBefore = await readFile(path.join(cwd, 'skills.lock.json'), 'utf8');

  await converse([{ toolCalls: [{ toolName: 'propose_skill', input: call }] }, { text: 'Done.' }]);
  expect(await converse([{ text: 'No skill for that.' }])).not.toContain('weekly-report');

  const checked = await command('check');
  expect(checked.code).toBe(0);
  const [id = ''] = checked.data.proposals.map((proposal) => proposal.id);
  const { content } = (await command('show', id)).data;
  expect((await command('accept', id, '--digest', content)).code).toBe(1);
  expect((await command('accept', id, '--by', 'Ada')).code).toBe(1);
  expect((await command('accept', id, '--by', 'Ada', '--digest', content)).code).toBe(0);
  expect(await readFile(path.join(cwd, 'skills.lock.json'), 'utf8')).toContain('weekly-report');

  const seen = await converse([{ toolCalls: [{ toolName: 'load_skill', input: { name: 'weekly-report' } }] }, { text: 'Done.' }]);
  expect(seen).toContain('Tickets first, then three sentences.');

  const undo = await command('undo', id);
  expect(undo.code).toBe(1);
  expect((await command('undo', id, '--by', 'Ada', '--digest', undo.data.content)).code).toBe(0);
  expect(await readFile(path.join(cwd, 'skills.lock.json'), 'utf8')).toBe(lockBefore);
  expect(await converse([{ text: 'No skill for that.' }])).not.toContain('weekly-report');
  expect((await command('list')).data.proposals).toEqual([]);
});
