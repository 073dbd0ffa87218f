import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, INTERRUPT, MemorySaver } from '@langchain/langgraph';
import { skillsMiddleware } from '@repertoire/adapter-langchain';
import {
  createSkillset,
  skillApprovals,
  SkillRegistry,
  type SkillAnswer,
  type SkillApprovalsOptions,
  type SkillQuestion,
} from '@repertoire/skills-core';
import { scriptedModel } from '@repertoire/skills-testkit/langchain';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';

const unknown = 'This question is no longer known. Ask again.';
const config = { configurable: { thread_id: 'one' } };
const calls = [
  { toolCallId: 'c1', toolName: 'load_skill', input: { name: 'market' } },
  { toolCallId: 'c2', toolName: 'bash', input: { command: 'ls' } },
];
interface Result {
  readonly messages: BaseMessage[];
  readonly [INTERRUPT]?: { readonly id: string; readonly value: SkillQuestion }[];
}

/** Processes that share a checkpointer and a store of approvals, and nothing else. */
function world(askWhom?: SkillApprovalsOptions['askWhom']) {
  const texts = new Map<string, string>();
  const fails = { now: false };
  const read = (key: string) => {
    if (fails.now) throw new Error('down');
    return texts.get(key);
  };
  const store = {
    get: read,
    set: (key: string, value: string) => void texts.set(key, value),
    delete: (key: string) => void texts.delete(key),
    take(key: string) {
      const text = read(key);
      texts.delete(key);
      return text;
    },
    keys: (prefix: string) => [...texts.keys()].filter((key) => key.startsWith(prefix)),
  };
  const options: SkillApprovalsOptions = { store, codeTools: ['bash'], askWhom };
  const checkpointer = new MemorySaver();
  const ran: string[] = [];
  /** One process: it says a message, or goes on with an answer. */
  const process = async (input: unknown, from = 0): Promise<Result> => {
    const provider = new SkillRegistry({
      skills: [{ name: 'market', description: 'Sells.', body: 'Words.' }],
      label: 'market',
      trusted: false,
    });
    const skillset = createSkillset({ provider, approvals: skillApprovals(options) });
    const bash = tool(({ command }: { command: string }) => `ran ${ran.push(command)}`, {
      name: 'bash',
      description: 'Runs.',
      schema: { type: 'object', properties: { command: { type: 'string' } } },
    });
    const model = scriptedModel([...calls.slice(from).map((call) => ({ toolCalls: [call] })), { text: 'Done.' }]);
    const agent = createAgent({ model, checkpointer, tools: [bash], middleware: [skillsMiddleware(skillset)] });
    return (await agent.invoke(input as never, config)) as unknown as Result;
  };
  const say = () => process({ messages: [new HumanMessage('Help.')] });
  const resume = (asked: Result, answer: SkillAnswer['answer'], from: number) => {
    const [stop] = asked[INTERRUPT] ?? [];
    if (stop === undefined) throw new Error('Nobody is asked.');
    return process(new Command({ resume: { [stop.id]: { question: stop.value.id, answer } } }), from);
  };
  return { texts, fails, ran, say, resume, process, inbox: () => skillApprovals(options).inbox(undefined) };
}
const told = ({ messages }: Result) => messages.map(({ text }) => text).join('\n');

describe('answers to interrupts', () => {
  it('GOV-17: count after a restart, by the id of the question', async () => {
    const { say, resume, ran } = world();
    const loaded = await resume(await say(), 'conversation', 1);
    expect(told(loaded)).toContain('Words.');
    expect(told(await resume(loaded, 'once', 2))).toContain('ran 1');
    expect(ran).toEqual(['ls']);
  });

  it('GOV-17: are a no where the record was deleted, and nothing is loaded or run', async () => {
    const { say, resume, ran, texts } = world();
    const asked = await say();
    texts.clear();
    const refused = await resume(asked, 'content', 1);
    expect([told(refused).includes(unknown), told(refused).includes('Words.')]).toEqual([true, false]);
    const other = world();
    const call = await other.resume(await other.say(), 'conversation', 1);
    other.texts.clear();
    expect(told(await other.resume(call, 'once', 2))).toContain(unknown);
    expect([ran, other.ran]).toEqual([['ls'], []]);
  });

  it('GOV-17: are a no while the store fails', async () => {
    const { say, resume, fails } = world();
    const asked = await say();
    fails.now = true;
    expect(told(await resume(asked, 'content', 2))).toContain(unknown);
  });

  it('GOV-17: that two processes bring at once make one call', async () => {
    const { say, resume, ran } = world();
    const call = await resume(await say(), 'conversation', 1);
    const both = await Promise.all([resume(call, 'once', 2), resume(call, 'once', 2)]);
    expect(ran).toEqual(['ls']);
    expect(both.filter((each) => told(each).includes(unknown))).toHaveLength(1);
  });

  it('GOV-17: of staff interrupt nothing: the call says that it waits, and a later one goes through', async () => {
    const { say, process, inbox } = world('staff');
    const first = await say();
    expect([told(first).includes('end your turn'), first[INTERRUPT]]).toEqual([true, undefined]);
    const [waiting] = await inbox().questions();
    expect(waiting?.conversation).toBe('one');
    await inbox().answer(waiting!.question.id, { answer: 'once' }, 'grace');
    expect(told(await process({ messages: [new HumanMessage('And now?')] }))).toContain('Words.');
  });
});
