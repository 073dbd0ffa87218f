import { createSkillset, skillApprovals, SkillRegistry, type SkillAnswer, type SkillQuestion } from '@repertoire/skills-core';
import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { answered, api, callsOf, chatWorld, say, type StartedChat } from './chat-world.ts';

const load = 'load_skill {"name":"shipping"}';

/** A skill of somebody else, whose text changes. */
function partner() {
  let body = 'Parcels take three days.';
  const open = () =>
    new SkillRegistry({
      skills: [{ name: 'shipping', description: 'Says how long parcels take.', body }],
      label: 'partner',
      trusted: false,
    });
  let inner = open();
  return {
    change: (text: string) => {
      body = text;
      inner = open();
    },
    provider: {
      label: 'partner',
      listSkills: (...given: Parameters<SkillRegistry['listSkills']>) => inner.listSkills(...given),
      getSkill: (...given: Parameters<SkillRegistry['getSkill']>) => inner.getSkill(...given),
      readResource: (...given: Parameters<SkillRegistry['readResource']>) => inner.readResource(...given),
      contentOf: async (...given: Parameters<NonNullable<SkillRegistry['contentOf']>>) => (await inner.contentOf?.(...given)) ?? null,
    },
  };
}

async function partnerChat() {
  const source = partner();
  const approvals = skillApprovals();
  const world = await chatWorld();
  const start = () => world.start({ skillset: createSkillset({ provider: source.provider, approvals }) });
  return { source, start };
}

const questionIn = (message: UIMessage): SkillQuestion => {
  const part = message.parts.find(({ type }) => type === 'data-question');
  if (part === undefined || !('data' in part)) throw new Error('There is no question.');
  return part.data as SkillQuestion;
};

async function answer(chat: StartedChat, message: UIMessage, given: SkillAnswer['answer'], question = questionIn(message).id) {
  const call = message.parts.find((part) => 'toolCallId' in part && part.state === 'approval-requested');
  const response = await chat.send({
    answer: { call: call !== undefined && 'toolCallId' in call ? call.toolCallId : '', question, answer: given },
  });
  return (await response.json()) as { runs: boolean; again?: SkillQuestion };
}

const textOf = async (chat: StartedChat): Promise<string> =>
  JSON.stringify((await chat.messages()).flatMap(({ parts }) => parts.filter(({ type }) => type !== 'data-question')));

describe('questions about skills of somebody else', () => {
  it('HST-3: stand in the message, are answered in another process, and once is once', async () => {
    const { start } = await partnerChat();
    const message = await start().say(say(load));
    expect([callsOf(message), questionIn(message).body]).toEqual([['load_skill:approval-requested'], 'Parcels take three days.']);
    const chat = start();
    expect(await answer(chat, message, 'once')).toEqual({ runs: true });
    await chat.say(answered(message));
    expect(await textOf(chat)).toContain('Parcels take three days.');
    expect(callsOf(await chat.say(say(load)))).toEqual(['load_skill:approval-requested']);
  });

  it.each(['no', 'never'] as const)('HST-3: a %s stays one, whatever the page says of it later', async (given) => {
    const { start } = await partnerChat();
    const chat = start();
    const message = await chat.say(say(load));
    expect(await answer(chat, message, given)).toEqual({ runs: false });
    expect((await chat.send({ message: answered(message) })).status).toBe(409);
    await chat.say(answered(message, false));
    expect(callsOf((await chat.messages()).at(-1))).toEqual(['load_skill:output-denied']);
    expect(await textOf(chat)).not.toContain('three days');
  });

  it('HST-3: an answer to another question, or of another person, answers nothing; a changed skill is asked about anew', async () => {
    const { source, start } = await partnerChat();
    const chat = start();
    const message = await chat.say(say(load));
    expect(await answer(chat, message, 'content', 'AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({
      runs: false,
      again: { id: questionIn(message).id },
    });
    const stranger = await chat.chat.POST(
      new Request(`${api}?id=one`, {
        method: 'POST',
        headers: { 'x-person': 'bob' },
        body: JSON.stringify({ answer: { call: 'x', question: questionIn(message).id, answer: 'content' } }),
      }),
    );
    expect(await stranger.json()).toEqual({ runs: false });
    source.change('Parcels take EVIL days.');
    const { again } = await answer(chat, message, 'content');
    expect(again?.body).toBe('Parcels take EVIL days.');
    // A yes to the words that were shown is none to those that are there now.
    await chat.say(answered(message));
    expect(await textOf(chat)).not.toContain('EVIL');
  });
});
