import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createSkillset, type SkillActivity } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';
import type { Recording } from '@repertoire/inspector';
import { readRecording } from '../src/recording/read-recording.ts';
import { defaultSettings, skillsetOf } from '../src/prompt/prompt-settings.ts';
import { timelineOf, type TimelineItem } from '../src/timeline/timeline.ts';
import { exampleSkills } from './support/library.ts';
import { recordedConversation } from './support/conversation.ts';

async function itemsOf(recording: Recording, gatedTools = ''): Promise<readonly TimelineItem[]> {
  const skillset = skillsetOf(exampleSkills(), { ...defaultSettings, gatedTools });
  return (await timelineOf(recording, { skillset, session: await skillset.open() })).items;
}

const shown = (items: readonly TimelineItem[]) =>
  items.map(({ kind, by, subject, path, loaded }) => [kind, by, subject, path, loaded.join()]);

describe('a recorded conversation', () => {
  it('AUT-3: of the AI SDK is told as what was disclosed when, by whom, and what it cost', async () => {
    const recording = readRecording(await recordedConversation());
    expect(recording).toMatchObject({ format: 'ai-sdk', instructions: 'You are a senior engineer.', hasTexts: true });
    const items = await itemsOf(recording);
    expect(shown(items)).toEqual([
      ['user', 'user', '', null, ''],
      ['load', 'model', 'sql-tuning', null, 'sql-tuning'],
      ['refused', 'model', 'read_skill_file', null, 'sql-tuning'],
      ['load', 'model', 'incident-report', null, 'sql-tuning,incident-report'],
      ['answer', 'model', '', null, 'sql-tuning,incident-report'],
    ]);
    expect(items[1]?.tokens).toBeGreaterThan(1000);
    expect(items.map(({ total }) => total)).toEqual(
      items.map((_, index) => items.slice(0, index + 1).reduce((sum, { tokens }) => sum + tokens, 0)),
    );
  });

  it('AUT-3: of a user interface of the AI SDK is the same conversation', async () => {
    const parts = [
      { type: 'step-start' },
      {
        type: 'dynamic-tool',
        toolName: 'load_skill',
        toolCallId: 'a',
        state: 'output-available',
        input: { name: 'changelog' },
        output: '<skill_content name="changelog" revision="1">\nx\n</skill_content>',
      },
      { type: 'step-start' },
      { type: 'tool-read_skill_file', toolCallId: 'b', state: 'output-error', input: {}, errorText: 'no' },
      { type: 'text', text: 'Done.' },
    ];
    const ui = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { id: '2', role: 'assistant', parts },
    ];
    expect(shown(await itemsOf(readRecording(JSON.stringify(ui))))).toEqual([
      ['user', 'user', '', null, ''],
      ['load', 'model', 'changelog', null, 'changelog'],
      ['answer', 'model', '', null, 'changelog'],
      ['refused', 'model', 'read_skill_file', null, 'changelog'],
    ]);
  });

  it('AUT-3: of LangGraph is read from messages, from a state, and from a history of checkpoints', async () => {
    const messages = [
      new HumanMessage('Hi'),
      new AIMessage({ content: '', tool_calls: [{ type: 'tool_call', id: 'a', name: 'load_skill', args: { name: 'changelog' } }] }),
      new ToolMessage({
        content: '<skill_content name="changelog" revision="1">\nx\n</skill_content>',
        tool_call_id: 'a',
        name: 'load_skill',
      }),
      new AIMessage('Done.'),
    ];
    const checkpoint = (some: unknown) => ({ checkpoint: { channel_values: { messages: some, loaded_skills: {} } } });
    const plain = [{ type: 'human', content: 'Hi' }];
    for (const file of [messages, { values: { messages } }, [checkpoint(plain), checkpoint(messages)]]) {
      const recording = readRecording(JSON.stringify(file));
      expect(recording.format).toBe('langgraph');
      expect(shown(await itemsOf(recording)).map(([kind]) => kind)).toEqual(['user', 'load', 'answer']);
    }
  });

  it('AUT-3: of our events has costs and digests, and no texts', async () => {
    const heard: SkillActivity[] = [];
    const skillset = createSkillset({ provider: exampleSkills(), onEvent: (activity) => heard.push(activity) });
    const session = await skillset.open();
    const loaded = await session.load({ name: 'sql-tuning' }, { state: session.state([]) });
    const state = session.apply(session.state([]), loaded.events);
    await session.tools
      .find(({ role }) => role === 'readFile')
      ?.execute({ skill: 'sql-tuning', path: 'references/reading-plans.md' }, { state });
    await session.load({ name: 'nope' }, { state });
    const recording = readRecording(heard.map((event) => JSON.stringify(event)).join('\n'));
    expect(recording).toMatchObject({ format: 'events', hasTexts: false });
    const items = await itemsOf(recording);
    expect(shown(items)).toEqual([
      ['load', 'host', 'sql-tuning', null, 'sql-tuning'],
      ['read', 'model', 'sql-tuning', 'references/reading-plans.md', 'sql-tuning'],
      ['refused', 'model', 'load_skill', null, 'sql-tuning'],
    ]);
    expect(items[0]).toMatchObject({ tokens: expect.any(Number), digest: expect.stringMatching(/^[0-9a-f]{64}$/), text: '' });
    expect(items[0]?.tokens).toBeGreaterThan(1000);
  });

  it('AUT-3: of OpenTelemetry is read from OTLP and from what exporters print, in the order of time', async () => {
    const attributes = (tool: string, skill: string, error?: string) => ({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'skill.name': skill,
      ...(error && { 'error.type': error }),
    });
    const listed = (map: object) => Object.entries(map).map(([key, value]) => ({ key, value: { stringValue: value } }));
    const spans = [
      { name: 'execute_tool unload_skill', startTimeUnixNano: '3000000000', attributes: listed(attributes('unload_skill', 'changelog')) },
      { name: 'execute_tool load_skill', startTimeUnixNano: '1000000000', attributes: listed(attributes('load_skill', 'changelog')) },
      {
        name: 'execute_tool load_skill',
        startTimeUnixNano: '2000000000',
        attributes: listed(attributes('load_skill', 'x', 'skill-not-found')),
      },
      { name: 'chat', startTimeUnixNano: '1', attributes: [] },
    ];
    const otlp = readRecording(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
    expect(shown(await itemsOf(otlp))).toEqual([
      ['load', 'model', 'changelog', null, 'changelog'],
      ['refused', 'model', 'load_skill', null, 'changelog'],
      ['unload', 'model', 'changelog', null, ''],
    ]);
    const printed = { name: 'execute_tool load_skill', startTime: [1, 0], attributes: attributes('load_skill', 'changelog') };
    const [item] = await itemsOf(readRecording(JSON.stringify([printed])));
    expect(item).toMatchObject({ kind: 'load', subject: 'changelog', at: '1970-01-01T00:00:01.000Z' });
  });

  it('AUT-3: of Claude Code shows the text that followed a load, and files of the skill that were read', async () => {
    const envelope = { uuid: '1', sessionId: 's', timestamp: '2026-01-02T03:04:05.000Z' };
    const user = (content: unknown, more: object = {}) => ({ ...envelope, type: 'user', message: { role: 'user', content }, ...more });
    const assistant = (...content: unknown[]) => ({ ...envelope, type: 'assistant', message: { role: 'assistant', content } });
    const lines = [
      { type: 'summary', summary: 'Earlier' },
      user('Profile this file'),
      assistant({ type: 'thinking', thinking: 'Hm.' }),
      assistant({ type: 'tool_use', id: 't1', name: 'Skill', input: { skill: 'csv-profile' } }),
      user([{ type: 'tool_result', tool_use_id: 't1', content: 'Launching skill: csv-profile' }]),
      user([{ type: 'text', text: 'Base directory for this skill: /srv/skills/csv-profile\n\n# CSV' }], { isMeta: true }),
      assistant({ type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/srv/skills/csv-profile/references/a.md' } }),
      user([{ type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'A' }] }]),
      user('not seen', { isSidechain: true }),
      assistant({ type: 'text', text: 'Done.' }),
    ];
    const recording = readRecording(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"assis`);
    const items = await itemsOf(recording);
    expect(shown(items)).toEqual([
      ['user', 'user', '', null, ''],
      ['load', 'model', 'csv-profile', null, 'csv-profile'],
      ['read', 'model', 'csv-profile', 'references/a.md', 'csv-profile'],
      ['answer', 'model', '', null, 'csv-profile'],
    ]);
    expect(items[1]).toMatchObject({ text: expect.stringContaining('# CSV'), at: '2026-01-02T03:04:05.000Z' });
  });

  it('AUT-3: of Claude Code follows commands, parallel calls, loads by others, rewinds and sub-agents', async () => {
    let count = 0;
    const line = (type: string, content: unknown, more: object = {}) => ({
      uuid: `u${(count += 1)}`,
      sessionId: 's',
      type,
      message: { role: type, content },
      ...more,
    });
    const skillText = (folder: string, words: string) => [{ type: 'text', text: `Base directory for this skill: ${folder}\n\n${words}` }];
    const lines = [
      { type: 'file-history-snapshot', snapshot: {} },
      { type: 'something-new', message: { role: 'user', content: 'no message' } },
      line('user', 'A prompt that was taken back', { parentUuid: 'root' }),
      line('assistant', [{ type: 'text', text: 'An answer to nobody' }], { parentUuid: 'u1' }),
      line(
        'user',
        '<command-message>changelog</command-message>\n<command-name>/changelog</command-name>\n<command-args>since May</command-args>',
        {
          parentUuid: 'root',
        },
      ),
      line('user', skillText('C:\\skills\\changelog', '# Changelog'), { isMeta: true }),
      // Both calls are one answer, though the first result stands between them.
      line('assistant', [{ type: 'tool_use', id: 't1', name: 'Skill', input: { skill: 'api-design' } }], {
        message: { id: 'm1', content: [{ type: 'tool_use', id: 't1', name: 'Skill', input: { skill: 'api-design' } }] },
      }),
      line('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'Launching skill: api-design' }]),
      line('assistant', [], {
        message: { id: 'm1', content: [{ type: 'tool_use', id: 't2', name: 'Skill', input: { skill: 'sql-tuning' } }] },
      }),
      line('user', [{ type: 'tool_result', tool_use_id: 't2', content: 'Launching skill: sql-tuning' }]),
      line('user', skillText('/srv/api-design/', '# API'), { isMeta: true, sourceToolUseID: 't1' }),
      line('user', skillText('/srv/sql-tuning', '# SQL'), { isMeta: true, sourceToolUseID: 't2' }),
      line('assistant', [
        { type: 'tool_use', id: 't3', name: 'Read', input: { file_path: 'C:\\skills\\changelog\\references\\a.md' } },
        { type: 'tool_use', id: 't4', name: 'Bash', input: { command: 'python "/srv/sql-tuning/scripts/plan.py" --all' } },
        { type: 'tool_use', id: 't5', name: 'Skill', input: { skill: 'sql-tuning' } },
      ]),
      line('user', [
        { type: 'tool_result', tool_use_id: 't3', content: 'A' },
        { type: 'tool_result', tool_use_id: 't4', content: 'plan' },
        { type: 'tool_result', tool_use_id: 't5', content: 'Skill /sql-tuning is already loaded above; use it.' },
      ]),
      line('user', 'work of a sub-agent', { isSidechain: true }),
      line('assistant', [{ type: 'text', text: 'Done.' }]),
    ];
    const text = lines.map((each) => JSON.stringify(each));
    const recording = readRecording([...text.slice(0, 3), '{"broken', ...text.slice(3), text.at(-1)].join('\n'));
    expect(recording).toMatchObject({ format: 'claude-code', unreadLines: 1 });
    const items = await itemsOf(recording);
    expect(items.map(({ kind, by, subject, path }) => [kind, by, subject, path])).toEqual([
      ['user', 'user', '', null],
      ['load', 'user', 'changelog', null],
      ['load', 'model', 'api-design', null],
      ['load', 'model', 'sql-tuning', null],
      ['read', 'model', 'changelog', 'references/a.md'],
      ['script', 'model', 'sql-tuning', 'scripts/plan.py'],
      ['again', 'model', 'sql-tuning', null],
      ['answer', 'model', '', null],
    ]);
    expect(items[0]?.text).toBe('/changelog since May');
    expect([items[2]?.text, items[3]?.text]).toEqual([expect.stringContaining('# API'), expect.stringContaining('# SQL')]);
    expect(recording.turns.filter(({ role }) => role === 'assistant')).toHaveLength(3);
    // Lines of a damaged file that name each other were not taken back.
    const circle = [line('assistant', [{ type: 'text', text: 'One.' }]), line('assistant', [{ type: 'text', text: 'Two.' }])];
    const [one = {}, two = {}] = circle.map((each, at) => ({ ...each, parentUuid: circle[1 - at]?.uuid }));
    const damaged = readRecording([...lines.slice(2, 5), one, two].map((each) => JSON.stringify(each)).join('\n'));
    expect((await itemsOf(damaged)).map(({ text: words }) => words)).toEqual(['/changelog since May', 'One.\nTwo.']);
    // The file of a sub-agent alone is read.
    const alone = [
      line('user', 'Look.', { isSidechain: true }),
      line('assistant', [{ type: 'text', text: 'Seen.' }], { isSidechain: true }),
    ];
    expect(readRecording(alone.map((each) => JSON.stringify(each)).join('\n')).turns).toHaveLength(2);
  });

  it('AUT-3: shows which gated tools are open after each moment', async () => {
    const load = '<skill_content name="changelog" source="examples" revision="0">\nx\n</skill_content>';
    const turns = [
      {
        role: 'assistant',
        parts: [
          { type: 'call', id: 'a', tool: 'load_skill', input: { name: 'changelog' } },
          { type: 'call', id: 'b', tool: 'deploy', input: {} },
        ],
      },
      {
        role: 'tool',
        results: [
          { id: 'a', tool: 'load_skill', output: load },
          { id: 'b', tool: 'deploy', output: 'refused', isFailed: true },
        ],
      },
    ];
    const items = await itemsOf(readRecording(JSON.stringify({ turns })), 'deploy');
    // No skill of the examples names the tool, so nothing opens it.
    expect(items.map(({ kind, open }) => [kind, open])).toEqual([
      ['load', []],
      ['refused', []],
    ]);
  });

  it.each(['', 'hello', '{"a":1}', '[]', '[1,2]', '{"messages":[{"role":7}]}', '{"a":\n{"b":\n'])(
    'AUT-3: %j is refused with a way out',
    (text) => {
      expect(() => readRecording(text)).toThrow(
        expect.objectContaining({ code: 'invalid-options', message: expect.stringContaining('no recording') }),
      );
    },
  );
});
