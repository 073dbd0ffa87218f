import { createResumableStreamContext } from 'resumable-stream/generic';
import { describe, expect, it } from 'vitest';
import {
  answered,
  callsOf,
  chatWorld,
  load,
  messageOf,
  obedientModel,
  refund,
  say,
  type ChatWorld,
  type StartedChat,
} from './chat-world.ts';

const hello = 'hello';
const ordersOf = (world: ChatWorld): string[] => world.paid().map(({ order }) => order);

/** A refund that a person is asked about. */
const asked = async (chat: StartedChat, orders = ['A-1']) => await chat.say(say(`${load}\n${orders.map(refund).join(' ;; ')}`));

describe('a chat', () => {
  it('HST-1: loads, asks a person, and pays once in another process than it asked in; history has it', async () => {
    const world = await chatWorld();
    const question = await asked(world.start());
    expect(callsOf(question)).toEqual(['load_skill:output-available', 'refund:approval-requested']);
    const second = world.start();
    const chunks = await second.send({ message: answered(question) });
    expect(await chunks.text()).toContain('Refunded A-1.');
    expect(world.paid()).toEqual([{ order: 'A-1', call: expect.stringMatching(/^[\w-]{22}$/) as unknown }]);
    expect((await second.messages()).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(callsOf((await second.messages()).at(-1))).toEqual(['load_skill:output-available', 'refund:output-available']);
    // The skill is still loaded.
    expect(callsOf(await second.say(say(refund('A-2'))))).toEqual(['refund:approval-requested']);
  });

  it('HST-1: a page that was loaded again reads all of the answer, also that of another process', async () => {
    const world = await chatWorld();
    const paying = Promise.withResolvers<void>();
    const first = world.start({ bank: () => paying.promise, leaseMs: 2000 });
    const question = await asked(first);
    const answer = await first.send({ message: answered(question) });
    await answer.body?.cancel();
    const second = world.start({ leaseMs: 2000 });
    const [here, there] = [await first.get('stream'), await second.get('stream')];
    await expect.poll(() => ordersOf(world)).toEqual(['A-1']);
    paying.resolve();
    const messages = await Promise.all([messageOf(here), messageOf(there)]);
    for (const message of messages) expect(callsOf(message).at(0)).toBe('load_skill:output-available');
    expect(callsOf(messages[0])).toEqual(['load_skill:output-available', 'refund:output-available']);
    await expect.poll(async () => (await second.get('stream')).status).toBe(204);
  });

  it('HST-1: lists the conversations of a person and of nobody else, and deletes them', async () => {
    const world = await chatWorld();
    const chat = world.start();
    await chat.say(say('First\nline'), { chat: 'a' });
    await chat.say(say('Of another'), { chat: 'b', person: 'bob' });
    const list = async (person: string) =>
      (
        (await (await chat.chat.GET(new Request('https://shop.example/api/chat', { headers: { 'x-person': person } }))).json()) as {
          conversations: { id: string; title: string }[];
        }
      ).conversations;
    expect(await list('ann')).toEqual([{ id: 'a', title: 'First', updatedAt: expect.any(Number) as unknown }]);
    expect(await chat.messages({ chat: 'b' })).toEqual([]);
    const gone = await chat.chat.DELETE(
      new Request('https://shop.example/api/chat?id=a', { method: 'DELETE', headers: { 'x-person': 'ann' } }),
    );
    expect([gone.status, await list('ann'), await chat.messages({ chat: 'a' })]).toEqual([204, [], []]);
    expect((await list('bob')).map(({ id }) => id)).toEqual(['b']);
  });

  it('HST-1: the same message again is one message with one answer', async () => {
    const world = await chatWorld();
    const chat = world.start();
    const message = say(hello);
    const answer = await chat.say(message);
    expect(await chat.say(message)).toMatchObject({ id: answer.id });
    const waiting = await asked(chat);
    const [, , third] = await chat.messages();
    expect(callsOf(await chat.say(third))).toEqual(callsOf(waiting));
    expect((await chat.messages()).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect((await chat.send({ message: { ...message, parts: [{ type: 'text', text: 'other' }] } })).status).toBe(409);
  });

  it('HST-1: an answer is made anew, unless it made calls that cannot be undone', async () => {
    const world = await chatWorld();
    const chat = world.start({ toolApproval: {} });
    const message = say(hello);
    const before = await chat.say(message);
    const anew = await messageOf(await chat.send({ message, trigger: 'regenerate-message' }));
    expect(anew.id).not.toBe(before.id);
    expect(await chat.messages()).toMatchObject([{ role: 'user' }, { id: anew.id }]);
    const paying = say(`${load}\n${refund('A-1')}`);
    await chat.say(paying);
    const refused = await chat.send({ message: paying, trigger: 'regenerate-message' });
    expect([refused.status, ordersOf(world)]).toEqual([409, ['A-1']]);
  });

  it('HST-1: stops an answer on another machine than the one that writes it', async () => {
    const world = await chatWorld();
    const first = world.start({ bank: () => new Promise(() => undefined), leaseMs: 4000 });
    const question = await asked(first);
    const answer = await first.send({ message: answered(question) });
    await expect.poll(() => ordersOf(world)).toEqual(['A-1']);
    await world.start().stop();
    expect(await answer.text()).toContain('"type":"abort"');
    expect(callsOf((await first.messages()).at(-1)).at(-1)).toBe('refund:output-error');
  });
});

describe('what a turn leaves', () => {
  it('HST-2: a call that was stopped while it ran is unknown, is told to the model, and is not made again', async () => {
    const world = await chatWorld();
    const paying = Promise.withResolvers<void>();
    const chat = world.start({ bank: () => paying.promise });
    const question = await asked(chat);
    const answer = await chat.send({ message: answered(question) });
    await expect.poll(() => ordersOf(world)).toEqual(['A-1']);
    await chat.stop();
    await answer.text();
    await expect.poll(async () => (await chat.get('stream')).status).toBe(204);
    const last = (await chat.messages()).at(-1);
    expect(JSON.stringify(last)).toContain('The outcome of this call is unknown.');
    await chat.say(say('Did it work?'));
    expect(JSON.stringify(chat.model.calls.at(-1)?.prompt)).toContain('The outcome of this call is unknown.');
    expect((await chat.send({ message: answered(question) })).status).toBe(409);
    // The bank answers after all: what happened is known from now on.
    paying.resolve();
    await expect.poll(async () => callsOf((await chat.messages())[1])).toEqual(['load_skill:output-available', 'refund:output-available']);
    await chat.say(say('And now?'));
    expect(JSON.stringify(chat.model.calls.at(-1)?.prompt)).toContain('Refunded A-1.');
    expect(ordersOf(world)).toEqual(['A-1']);
  });

  it('HST-2: a process that is lost while a call runs leaves a conversation that another one goes on with', async () => {
    const world = await chatWorld();
    const first = world.start({ bank: () => new Promise(() => undefined) });
    const question = await asked(first);
    // This process never gets on: its timers would hold the conversation, so its store holds nothing any more.
    const lost = world.start({ bank: () => new Promise(() => undefined), store: deaf(first) });
    void lost.send({ message: answered(question) });
    await expect.poll(() => ordersOf(world)).toEqual(['A-1']);
    const second = world.start();
    await expect.poll(async () => (await second.get('stream')).status).toBe(204);
    expect(JSON.stringify((await second.messages()).at(-1))).toContain('The outcome of this call is unknown.');
    await second.say(say('Did it work?'));
    expect(JSON.stringify(second.model.calls.at(-1)?.prompt)).toContain('The outcome of this call is unknown.');
    expect(ordersOf(world)).toEqual(['A-1']);
  });

  it('HST-2: calls are answered one by one, and each runs once', async () => {
    const world = await chatWorld();
    const chat = world.start();
    const question = await asked(chat, ['A-1', 'B-2']);
    const is = (order: string) => (input: unknown) => (input as { order: string }).order === order;
    await chat.say(answered(question, true, is('A-1')));
    expect(ordersOf(world)).toEqual([]);
    await chat.say(answered((await chat.messages()).at(-1) ?? question, true, is('B-2')));
    expect(ordersOf(world).toSorted()).toEqual(['A-1', 'B-2']);
    await chat.say(say(hello));
  });

  it('HST-2: calls that wait when the person writes something else were not run, and a yes that comes too late runs nothing', async () => {
    const world = await chatWorld();
    const chat = world.start();
    const question = await asked(chat, ['A-1', 'B-2']);
    await chat.say(answered(question, true, (input) => (input as { order: string }).order === 'A-1'));
    await chat.say(say(hello));
    expect(JSON.stringify(chat.model.calls.at(-1)?.prompt)).toContain('nobody approved it before the user wrote again');
    expect((await chat.send({ message: answered(question) })).status).toBe(409);
    expect(callsOf((await chat.messages())[1])).toEqual(['load_skill:output-available', 'refund:output-denied', 'refund:output-denied']);
    expect(ordersOf(world)).toEqual([]);
  });

  it('HST-2: secrets rotate: what an older one signed is believed, what none signed is asked again', async () => {
    const world = await chatWorld();
    const [old, next, other] = ['one', 'two', 'three'].map((name) => `a secret of at least 32 characters: ${name}`);
    const question = await asked(world.start({ secrets: [old ?? ''] }));
    const stranger = world.start({ secrets: [other ?? ''] });
    const copy = await asked(stranger);
    await world.start({ secrets: [next ?? '', old ?? ''] }).say(say(hello), { chat: 'two' });
    const rotated = world.start({ secrets: [next ?? ''] });
    await rotated.say(answered(copy));
    expect(JSON.stringify(rotated.model.calls.at(-1)?.prompt)).toContain('its question was not asked by this server');
    expect(ordersOf(world)).toEqual([]);
    const again = await rotated.say(say(refund('A-1')));
    await world.start({ secrets: [other ?? '', next ?? ''] }).say(answered(again));
    expect([ordersOf(world), callsOf(question).at(-1)]).toEqual([['A-1'], 'refund:approval-requested']);
  });

  it('HST-2: a tool that fails has failed, in this process and in the next', async () => {
    const world = await chatWorld();
    const chat = world.start({ bank: () => Promise.reject(new Error('the password of the bank')) });
    await chat.say(answered(await asked(chat)));
    const text = JSON.stringify(await chat.messages());
    expect([text.includes('It failed.'), text.includes('password')]).toEqual([true, false]);
    await world.start().say(say(hello));
  });

  it('HST-2: a model that fails leaves a conversation in which the same message is answered', async () => {
    const world = await chatWorld();
    let fails = true;
    const model = obedientModel();
    const chat = world.start({
      model: {
        ...model,
        doStream: (options: Parameters<typeof model.doStream>[0]) => (fails ? Promise.reject(new Error('down')) : model.doStream(options)),
      },
    });
    const message = say(hello);
    expect(await (await chat.send({ message })).text()).toContain('"type":"error"');
    fails = false;
    expect(JSON.stringify(await chat.say(message))).toContain('It is done');
    expect((await chat.messages()).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });
});

describe('two at once', () => {
  it('HST-2: one approval at two machines pays once', async () => {
    const world = await chatWorld();
    const machines = [world.start(), world.start()] as const;
    for (let round = 0; round < 20; round++) {
      const to = { chat: `c${round}` };
      const question = await machines[0].say(say(`${load}\n${refund(`A-${round}`)}`), to);
      const responses = await Promise.all(machines.map((machine) => machine.send({ message: answered(question) }, to)));
      await Promise.all(responses.map((response) => response.text()));
      expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    expect(ordersOf(world)).toHaveLength(20);
  });

  it('HST-1: a second message waits its turn, and the same message joins its answer', async () => {
    const world = await chatWorld();
    const paying = Promise.withResolvers<void>();
    const chat = world.start({ bank: () => paying.promise, toolApproval: {} });
    const message = say(`${load}\n${refund('A-1')}`);
    const first = await chat.send({ message });
    const other = await world.start().send({ message: say(hello) });
    expect([other.status, other.headers.get('retry-after')]).toEqual([409, '1']);
    const same = await chat.send({ message });
    paying.resolve();
    expect((await messageOf(same)).id).toBe((await messageOf(first)).id);
    expect(ordersOf(world)).toEqual(['A-1']);
  });
});

/** A store whose writer is never heard of again. */
function deaf({ store }: StartedChat): StartedChat['store'] {
  const bound = Object.fromEntries(
    (['take', 'read', 'write', 'chunks', 'stop', 'list', 'remove'] as const).map((name) => [
      name,
      (store[name] as (...given: unknown[]) => unknown).bind(store),
    ]),
  );
  return { ...bound, beat: async () => 'held', end: async () => undefined } as unknown as StartedChat['store'];
}

describe('answers that processes share by resumable-stream', () => {
  it('HST-1: are read on another machine, not kept in the store, and end where whoever writes is lost', async () => {
    const world = await chatWorld();
    const redis = sharedMemory();
    const streams = () => createResumableStreamContext({ waitUntil: null, publisher: redis, subscriber: redis });
    const paying = Promise.withResolvers<void>();
    const first = world.start({ bank: () => paying.promise, leaseMs: 10_000, streams: streams() });
    const question = await asked(first);
    await (await first.send({ message: answered(question) })).body?.cancel();
    await expect.poll(() => ordersOf(world)).toEqual(['A-1']);
    const there = await world.start({ streams: streams() }).get('stream');
    const { writer = '' } = (await first.store.read({ person: 'ann', chat: 'one' })) ?? {};
    expect(await first.store.chunks({ person: 'ann', chat: 'one' }, writer, 0)).toEqual({ texts: [], running: true });
    paying.resolve();
    expect(callsOf(await messageOf(there))).toEqual(['load_skill:output-available', 'refund:output-available']);

    const second = await first.say(say(refund('A-2')));
    const lost = world.start({ bank: () => new Promise(() => undefined), store: deaf(first), streams: streams() });
    void lost.send({ message: answered(second) });
    await expect.poll(() => ordersOf(world)).toEqual(['A-1', 'A-2']);
    const rest = await (await world.start({ streams: streams() }).get('stream')).text();
    expect(rest).toContain('The outcome of this call is unknown.');
  });
});

/** What Redis does for streams, for all machines of a test. */
function sharedMemory() {
  const [values, listeners] = [new Map<string, string>(), new Map<string, ((message: string) => void)[]>()];
  return {
    connect: async () => undefined,
    publish: async (channel: string, message: string) => {
      for (const listener of listeners.get(channel) ?? []) listener(message);
      return listeners.get(channel)?.length ?? 0;
    },
    subscribe: async (channel: string, listener: (message: string) => void) =>
      void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    unsubscribe: async (channel: string) => void listeners.delete(channel),
    set: async (key: string, value: string) => (values.set(key, value), 'OK' as const),
    get: async (key: string) => values.get(key) ?? null,
    incr: async (key: string) => {
      const next = Number(values.get(key) ?? 0) + 1;
      values.set(key, String(next));
      return next;
    },
  };
}
