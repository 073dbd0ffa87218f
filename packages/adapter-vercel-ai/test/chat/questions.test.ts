import { createSkillset, skillApprovals, SkillRegistry, type SkillAnswer, type SkillQuestion } from '@repertoire/skills-core';
import type { UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { sqlApprovalStore } from '../../src/chat.ts';
import { skillInboxClient } from '../../src/chat/client.ts';
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
  const world = await chatWorld();
  const start = () =>
    world.start({
      skillset: createSkillset({ provider: source.provider, approvals: skillApprovals({ store: sqlApprovalStore(world.file) }) }),
    });
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

describe('the inbox of staff', () => {
  it('HST-3: lists a question, shows it whole, and takes an answer of whom the host lets in, after a restart', async () => {
    const source = partner();
    const world = await chatWorld();
    const start = () => {
      const approvals = skillApprovals({ askWhom: 'staff', store: sqlApprovalStore(world.file) });
      return world.start({
        skillset: createSkillset({ provider: source.provider, approvals }),
        staff: { approvals, who: (request) => request.headers.get('x-staff') },
      });
    };
    const first = start();
    const turn = await first.say(say(load));
    // The person is not asked, and the turn has ended.
    expect([callsOf(turn), JSON.stringify(turn).includes('three days')]).toEqual([['load_skill:output-available'], false]);

    const second = start();
    const inboxOf = (staff: string) =>
      skillInboxClient({
        api,
        fetch: (url, init) => second.chat.handle(new Request(url, { ...init, headers: { ...init?.headers, 'x-staff': staff } })),
      });
    const inbox = inboxOf('eve');
    const [waiting] = await inbox.questions();
    expect(waiting?.question).toMatchObject({ whom: 'staff', body: 'Parcels take three days.' });
    const { id } = waiting?.question ?? { id: '' };
    expect(await inbox.question(id)).toMatchObject({ id });
    await expect(inboxOf('').questions()).rejects.toThrow('403');
    await expect(inboxOf('').answer(id, { answer: 'once' })).rejects.toThrow('403');
    expect(await inbox.answer('AAAA', { answer: 'once' })).toBe(false);
    expect(await inbox.answer(id, { answer: 'content' })).toBe(true);
    expect(await inbox.questions()).toEqual([]);
    await second.say(say(load));
    expect(await textOf(second)).toContain('Parcels take three days.');
  });

  it('HST-3: a chat without staff has no inbox', async () => {
    const { start } = await partnerChat();
    const { chat } = start();
    expect((await chat.handle(new Request(`${api}?view=inbox`))).status).toBe(404);
  });
});
