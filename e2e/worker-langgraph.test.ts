import { on, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from '@repertoire/cli';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleForWorkers } from '../tools/bundle-for-workers.ts';
import { repositoryRoot } from '../tools/workspace.ts';
import { openWorkerd } from './open-workerd.ts';
import { ownWranglerFolder } from './own-wrangler-folder.ts';

const folder = join(repositoryRoot, 'examples/worker-langgraph');

describe('examples/worker-langgraph, in workerd, killed by SIGKILL and started again', () => {
  let desks: Desks;
  let beforeTurn: Standing;
  let beforeDecision: Standing;
  beforeAll(async () => {
    desks = await openDesks();
    beforeTurn = await desks.of('turn').send({ say: 'Please reserve Middlemarch.' });
    beforeDecision = await desks.of('decision').send({ say: 'Please waive my fee of 4: I was ill.' });
    await desks.killAndStart();
  });
  afterAll(async () => await desks[Symbol.asyncDispose]());

  it('ADP-2, SRC-9: between two turns: what was loaded is loaded, its tool is open, and nothing is loaded again', async () => {
    const before = beforeTurn;
    expect(before).toMatchObject({ status: 'idle', loaded: ['reservations'], journal: ['reserved Middlemarch'] });
    expect(typesOf(before)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai']);

    const desk = desks.of('turn');
    expect(await desk.look(), 'S3-40').toEqual(before);
    const after = await desk.send({ say: 'Please reserve Emma.' });
    expect(after).toMatchObject({ status: 'idle', loaded: ['reservations'], journal: ['reserved Middlemarch', 'reserved Emma'] });
    expect(after.messages.slice(0, 6)).toEqual(before.messages);
    // One call of a tool, and none that loads.
    expect(typesOf(after).slice(6)).toEqual(['human', 'ai', 'tool', 'ai']);
  });

  it('ADP-2: while a tool waits for a decision: it is still asked for, and the tool of the loaded skill takes it', async () => {
    const before = beforeDecision;
    expect(before).toMatchObject({
      status: 'waiting',
      question: { question: 'Waive 4?', reason: 'Please waive my fee of 4: I was ill.' },
      loaded: ['late-fees'],
      journal: [],
    });

    const desk = desks.of('decision');
    expect(await desk.look()).toEqual(before);
    // Nothing else is taken in between: a call of a tool would be left without its result.
    expect(await desk.refused({ say: 'Please reserve Emma.' })).toBe(409);
    const after = await desk.send({ approved: true });
    expect(after).toMatchObject({ status: 'idle', loaded: ['late-fees'], journal: ['waived 4'] });
    expect(after.messages.at(-1)).toEqual({ type: 'ai', text: 'The fee of 4 is waived.' });
    expect(await desk.refused({ approved: true })).toBe(409);
  });

  it('ADP-2: reads no body that is longer than a message', async () => {
    const desk = desks.of('long');
    expect(await desk.refused({ say: 'a'.repeat(5000) })).toBe(400);
    expect(await desk.refused({ say: 'Hello.' }, 2 ** 17)).toBe(400);
    expect((await desk.look()).messages).toEqual([]);
  });
});

describe('examples/worker-langgraph, in workerd, with a provider that is held', () => {
  let provider: HeldProvider;
  let desks: Desks;
  beforeAll(async () => {
    provider = await heldProvider();
    desks = await openDesks({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: provider.url });
  });
  afterAll(async () => {
    await desks[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  it('ADP-2, ADP-5: while a node runs: that node runs again, no finished one does, and the model reads the same bytes', async () => {
    const desk = desks.of('node');
    const cut = desk.send({ say: 'Please reserve Middlemarch.' });
    await provider.answer({ name: 'load_skill', input: { name: 'reservations' } });
    await provider.answer({ name: 'reserve_copy', input: { title: 'Middlemarch' } });
    // The model's node runs: its request is here, and is never answered.
    const asked = await provider.take();
    expect(await desk.look()).toMatchObject({ status: 'running', journal: ['reserved Middlemarch'] });
    expect(await desk.refused({ say: 'Are you there?' })).toBe(409);
    await Promise.all([desks.killAndStart(), expect(cut).rejects.toThrow('fetch failed')]);

    const stopped = await desk.look();
    expect(stopped).toMatchObject({ status: 'stopped', loaded: ['reservations'], journal: ['reserved Middlemarch'] });
    expect(await desk.refused({ say: 'Are you there?' })).toBe(409);
    const resumed = desk.send({ goOn: true });
    const askedAgain = await provider.take();
    expect(askedAgain.body).toBe(asked.body);
    askedAgain.answer({ text: 'It is kept for you.' });
    expect(await resumed).toMatchObject({ status: 'idle', loaded: ['reservations'], journal: ['reserved Middlemarch'] });

    const next = desk.send({ say: 'And Emma. Can I fetch it in my village?' });
    const second = await provider.take();
    second.answer({ name: 'reserve_copy', input: { title: 'Emma' } });
    await provider.answer({ name: 'read_skill_file', input: { skill: 'reservations', path: 'references/pickup.md' } });
    await provider.answer({ text: 'The van comes on Tuesday.' });
    const { messages, journal } = await next;
    expect(journal).toEqual(['reserved Middlemarch', 'reserved Emma']);
    expect(messages.at(-2)?.text).toContain('the van comes on Tuesdays and Fridays');

    const [before, after] = [asked, second].map(
      ({ body }) => JSON.parse(body) as { messages: object[]; tools: { function: { name: string } }[] },
    );
    expect(after?.tools).toEqual(before?.tools);
    expect(after?.tools.at(-1)?.function.name).toBe('reserve_copy');
    expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
    expect(JSON.stringify(before?.messages)).toContain('Call `reserve_copy` once for each book.');
  });

  it('ADP-2: calls of one answer, which run again with each that waits, act once each', async () => {
    const desk = desks.of('calls');
    const asked = desk.send({ say: 'Waive my two fees, and reserve Emma.' });
    await provider.answer({ calls: ['late-fees', 'reservations'].map((name) => ({ name: 'load_skill', input: { name } })) });
    await provider.answer({
      calls: [
        { name: 'reserve_copy', input: { title: 'Emma' } },
        { name: 'waive_fee', input: { amount: 4, reason: 'ill' } },
        { name: 'waive_fee', input: { amount: 5, reason: 'ill' } },
      ],
    });
    expect(await asked).toMatchObject({ status: 'waiting', question: { question: 'Waive 4?' } });
    expect(await desk.send({ approved: true })).toMatchObject({ status: 'waiting', question: { question: 'Waive 5?' } });
    const done = desk.send({ approved: true });
    await provider.answer({ text: 'Both are waived.' });
    expect((await done).journal).toEqual(['reserved Emma', 'waived 4', 'waived 5']);
  });

  it('ADP-2: where the provider refuses, the run stops where it was, and goes on when it is told to', async () => {
    const desk = desks.of('refused');
    const refused = desk.refused({ say: 'Please reserve Middlemarch.' });
    await provider.answer({ name: 'load_skill', input: { name: 'reservations' } });
    await provider.answer({ status: 401 });
    expect(await refused).toBe(502);
    expect(await desk.refused({ say: '' })).toBe(400);
    expect(await desk.look()).toMatchObject({ status: 'stopped', loaded: ['reservations'] });
    const resumed = desk.send({ goOn: true });
    await provider.answer({ text: 'Which of the two?' });
    expect(await resumed).toMatchObject({ status: 'idle', loaded: ['reservations'] });
  });
});

it('SRC-9: its bundle of skills, which is committed, is the one of the folders', async () => {
  let said = '';
  const stdout = {
    write: (line: string): void => {
      said += line;
    },
  };
  const code = await run(['bundle', 'skills', '--out', 'src/skills.gen.ts', '--check'], { cwd: folder, stdout, stderr: stdout });
  expect([code, said]).toEqual([0, expect.stringContaining('up to date')]);
});

it('ADP-2: its saver says of a run what the one in memory says, in the SQLite of workerd', async () => {
  const { code } = await bundleForWorkers(`export * from './test/saver-worker.ts'; export { default } from './test/saver-worker.ts';`, {
    conditions: ['@repertoire/source'],
    resolveFolder: folder,
  });
  const worker = openWorkerd(code, { compatibilityFlags: ['nodejs_als'], durableObjects: { CONVERSATIONS: 'SaverObject' } });
  onTestFinished(() => worker.dispose());
  const { before, after } = (await (await worker.dispatchFetch('http://localhost/')).json()) as Record<
    'before' | 'after',
    Record<'memory' | 'sqlite', unknown[]>
  >;
  expect(before.memory).not.toContain('none');
  expect(before.sqlite).toEqual(before.memory);
  // One of the two threads is deleted.
  expect(after.memory).toContain('none');
  expect(after.sqlite).toEqual(after.memory);
});

interface Standing {
  readonly status: string;
  readonly journal: readonly string[];
  readonly messages: readonly { readonly type: string; readonly text: string }[];
}

const typesOf = ({ messages }: Standing): string[] => messages.map(({ type }) => type);

/** One conversation with the Worker. */
interface Desk {
  look(): Promise<Standing>;
  send(body: object): Promise<Standing>;
  /** @returns the status of the answer */
  refused(body: object, padding?: number): Promise<number>;
}

/** The Worker, which many tests share: to start it takes longer than most of them. */
interface Desks extends AsyncDisposable {
  of(conversation: string): Desk;
  killAndStart(): Promise<void>;
}

async function openDesks(variables: Readonly<Record<string, string>> = {}): Promise<Desks> {
  const own = await ownWranglerFolder(folder);
  let worker = await own.start({ variables });
  return {
    of(conversation) {
      const path = `/conversations/${conversation}`;
      const post = (body: object, padding = 0): Promise<Response> =>
        fetch(worker.url + path, { method: 'POST', body: JSON.stringify(body) + ' '.repeat(padding) });
      return {
        look: async () => (await (await fetch(worker.url + path)).json()) as Standing,
        async send(body) {
          const response = await post(body);
          if (!response.ok) throw new Error(`${response.status}: ${await response.text()}\n${worker.output()}`);
          return (await response.json()) as Standing;
        },
        refused: async (body, padding) => (await post(body, padding)).status,
      };
    },
    async killAndStart() {
      await worker.kill();
      worker = await own.start({ variables });
    },
    async [Symbol.asyncDispose]() {
      await worker.kill();
      await own[Symbol.asyncDispose]();
    },
  };
}

interface Call {
  readonly name: string;
  readonly input: object;
}

type Answer = { readonly text: string } | Call | { readonly calls: readonly Call[] } | { readonly status: number };

type HeldProvider = Awaited<ReturnType<typeof heldProvider>>;

/** A provider that speaks OpenAI's protocol, and answers when the test says so. */
async function heldProvider() {
  const server = createServer().listen(0, '127.0.0.1');
  const requests = on(server, 'request');
  await once(server, 'listening');
  let count = 0;
  async function take() {
    const [request, response] = (await requests.next()).value as [IncomingMessage, ServerResponse];
    const id = `${(count += 1)}`;
    return { body: await text(request), answer: (answer: Answer) => respond(response, answer, id) };
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take,
    answer: async (answer: Answer) => (await take()).answer(answer),
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse, answer: Answer, id: string): void {
  if ('status' in answer) {
    response.writeHead(answer.status).end();
    return;
  }
  const called = 'calls' in answer ? answer.calls : 'name' in answer ? [answer] : [];
  const calls = called.map(({ name, input }, index) => ({
    id: index === 0 ? `call_${id}` : `call_${id}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: 'assistant', content: 'text' in answer ? answer.text : null, ...(calls.length > 0 && { tool_calls: calls }) };
  const choice = { index: 0, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', message };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: `answer_${id}`, object: 'chat.completion', created: 0, model: 'a-model', choices: [choice] }));
}
