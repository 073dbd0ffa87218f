import { run, Runner, setTracingDisabled, tool, type Agent, type RunResult, type RunState } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { openAiAgentsSkills } from '@repertoire/adapter-openai-agents';
import { createSkillset, emptySkillState, skillApprovals, SkillRegistry } from '@repertoire/skills-core';
import { describe, expect, it } from 'vitest';

setTracingDisabled(true);

const unknown = 'This question is no longer known. Ask again.';
// oxlint-disable-next-line typescript/no-explicit-any -- the SDK's own types of agents are not assignable to one another
type AnyAgent = Agent<any, any>;

/** Processes that share a store of approvals and a saved state; the run state goes as text. */
function world() {
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
  };
  const box = { current: emptySkillState };
  const ran: string[] = [];
  let body = 'Words that were shown.';
  const open = (model: ScriptedModel) => {
    const market = { name: 'market', description: 'Sells.', body };
    const skillset = createSkillset({
      provider: new SkillRegistry({ skills: [market], label: 'market', trusted: false }),
      approvals: skillApprovals({ store, codeTools: ['bash'] }),
    });
    const bash = tool({
      name: 'bash',
      description: 'Runs.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      execute: () => `ran ${ran.push('bash')}`,
    });
    const skills = openAiAgentsSkills(skillset, { state: () => box, conversation: () => 'one' });
    return { skills, agent: skills.agent({ name: 'help', model, tools: [bash] }) };
  };
  /** Asks for one call; the text of the run waits for a yes. */
  const ask = async (name: string, callId: string) => {
    const model = new ScriptedModel([[functionCall(name, { name: 'market' }, { callId })], [assistantMessage('Done.')]]);
    const first = (await run(open(model).agent, 'Hello.')) as unknown as RunResult<unknown, AnyAgent>;
    expect(first.interruptions).toHaveLength(1);
    const text = first.state.toString();
    return async () => {
      const { skills, agent } = open(new ScriptedModel([[assistantMessage('Done.')]]));
      const state = (await skills.restoreRun(agent, text, {})) as RunState<unknown, AnyAgent>;
      for (const item of state.getInterruptions()) state.approve(item);
      return JSON.stringify((await new Runner().run(agent, state)).history);
    };
  };
  return { texts, fails, box, ran, ask, edit: (next: string) => void (body = next) };
}

describe('a yes of the SDK', () => {
  it('GOV-17: loads what was asked about after a restart, once', async () => {
    const { ask, box } = world();
    const yes = await ask('load_skill', 'c1');
    expect(await yes()).toContain('Words that were shown.');
    expect(Object.keys(box.current.loaded)).toEqual(['market']);
    box.current = emptySkillState;
    expect(await yes()).toContain(unknown);
    expect(box.current).toEqual(emptySkillState);
  });

  it.each(['deleted', 'failing'] as const)('GOV-17: is a no where the records are %s, also to other words', async (how) => {
    const { ask, box, texts, fails, edit } = world();
    const yes = await ask('load_skill', 'c1');
    edit('EVIL WORDS');
    if (how === 'deleted') texts.clear();
    else fails.now = true;
    const told = await yes();
    expect([told.includes(unknown), told.includes('EVIL'), box.current]).toEqual([true, false, emptySkillState]);
  });

  it('GOV-17: makes one call of a tool that executes code, however many bring it', async () => {
    const { ask, ran, texts } = world();
    await (
      await ask('load_skill', 'c1')
    )();
    const yes = await ask('bash', 'c2');
    await yes();
    await yes();
    expect(ran).toEqual(['bash']);
    const other = await ask('bash', 'c3');
    texts.clear();
    expect(await other()).toContain(unknown);
    expect(ran).toEqual(['bash']);
  });
});
