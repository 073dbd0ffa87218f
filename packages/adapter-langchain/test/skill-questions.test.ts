import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { createSkillset, skillApprovals, SkillRegistry } from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it, onTestFinished } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { skillQuestions } from '../src/langgraph.ts';

/** Records of approvals, which outlive each process. */
const records = () => {
  const map = new Map<string, string>();
  return {
    get: (key: string) => map.get(key),
    set: (key: string, value: string) => void map.set(key, value),
    delete: (key: string) => void map.delete(key),
    take: (key: string) => {
      const value = map.get(key);
      map.delete(key);
      return value;
    },
  };
};

/** A process: an agent that loads a skill of somebody else. */
function openAgent(checkpointer: BaseCheckpointSaver, store: ReturnType<typeof records>, script: Parameters<typeof scriptedModel>[0]) {
  const skillset = createSkillset({
    provider: new SkillRegistry({ skills: [{ name: 'helper', description: 'Helps.', body: 'The words.' }], label: 'web', trusted: false }),
    approvals: skillApprovals({ store }),
  });
  return createAgent({ model: scriptedModel(script), checkpointer, middleware: [skillsMiddleware(skillset)] });
}

const load = { toolCalls: [{ toolName: 'load_skill', toolCallId: 'c1', input: { name: 'helper' } }] };
const config = (thread: string) => ({ configurable: { thread_id: thread } });

describe('questions of threads', () => {
  it.each(['SQLite', 'memory'])(
    'HST-3: are listed, shown and answered over checkpoints in %s, in another process than asked',
    async (kind) => {
      const folder = await mkdtemp(join(tmpdir(), 'skill-questions-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const memory = new MemorySaver();
      const open = (): BaseCheckpointSaver => (kind === 'memory' ? memory : SqliteSaver.fromConnString(join(folder, 'threads.sqlite')));
      const store = records();
      for (const thread of ['a', 'b']) {
        await openAgent(open(), store, [load]).invoke({ messages: [{ role: 'user', content: 'Help.' }] }, config(thread));
      }
      await openAgent(open(), store, [{ text: 'Hello.' }]).invoke({ messages: [{ role: 'user', content: 'Hi.' }] }, config('c'));

      const questions = skillQuestions(open());
      const listed = await questions.list();
      expect(listed.map(({ thread, question }) => [thread, question.skills[0]?.name]).toSorted()).toEqual([
        ['a', 'helper'],
        ['b', 'helper'],
      ]);
      const [one] = await questions.one('a');
      const id = one?.question.id ?? '';
      expect(await questions.answer('b', id, { answer: 'once' })).toBeUndefined();
      const answered = await questions.answer('a', id, { answer: 'once' });
      const after = await openAgent(open(), store, [{ text: 'Done.' }]).invoke(answered?.command as never, answered?.config);
      expect(JSON.stringify(after.messages.map(({ text }) => text))).toContain('The words.');
      expect([await questions.one('a'), (await questions.list()).map(({ thread }) => thread)]).toEqual([[], ['b']]);
      expect(await questions.answer('a', id, { answer: 'once' })).toBeUndefined();
    },
  );
});
