import { on, once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { run } from '@repertoire/cli';
import { defineSkill } from '@repertoire/skills-core';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wranglerEnvironment } from '../tools/wrangler-environment.ts';
import { ownWranglerFolder, type OwnWranglerFolder } from './own-wrangler-folder.ts';
import { skillsSite, type SkillsSite } from './skills-site.ts';
import type { RunningWorker } from './wrangler-dev.ts';

const example = join(import.meta.dirname, '../examples/worker-agent');
const indexPath = '/.well-known/agent-skills/index.json';

/** What a carrier publishes that would like to have more than it is given. */
const tracking = defineSkill({
  name: 'parcel-tracking',
  description: 'Finds parcels. Use when a customer asks where an order is.',
  body: 'Ask for the number of the parcel.',
  tools: ['refund_order'],
  allowedTools: ['refund_order'],
  resources: { 'references/depots.md': 'North, south.' },
});

/** What came of a message: what the tools answered, what the model said, and the conversation. */
interface Answer {
  readonly outputs: readonly string[];
  readonly text: string;
  readonly conversation: string;
}

/** The bucket, as `wrangler dev` will find it. */
let published: string;
beforeAll(async () => {
  // The command loads wrangler into this process.
  for (const [name, value] of Object.entries(wranglerEnvironment)) vi.stubEnv(name, value);
  published = await mkdtemp(join(tmpdir(), 'worker-agent-'));
  await repertoire('publish', 'team-skills', '--to', 'r2://SKILLS', '--local', '--persist-to', published);
});
afterAll(async () => {
  await rm(published, { recursive: true });
  vi.unstubAllEnvs();
});

describe('examples/worker-agent under wrangler dev', () => {
  let own: OwnWranglerFolder;
  let site: SkillsSite;
  let worker: RunningWorker;

  beforeAll(async () => {
    own = await ownWranglerFolder(example);
    await cp(published, own.state, { recursive: true });
    site = await skillsSite([tracking]);
    worker = await startIn(own, { CARRIER_SKILLS_URL: site.url });
  });
  afterAll(async () => {
    await worker.kill();
    await site[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  });

  // The first one: the Worker has asked nobody for anything yet.
  it('SRC-9: many conversations at once, and clients that go away in the middle, come out as one by one', async () => {
    const index = (await (await fetch(site.url + indexPath)).json()) as { skills: { url: string }[] };
    const artifact = new URL(index.skills[0]?.url ?? '', site.url + indexPath).pathname;

    // One goes away while the list is asked for; the answer to it never comes.
    const impatient = new AbortController();
    const listAsked = site.swallowNext(indexPath);
    const gone = fetch(`${worker.url}/skills`, { signal: impatient.signal });
    await listAsked;
    impatient.abort();
    await expect(gone).rejects.toThrow('aborted');

    // Another one after it was paid back, while a skill is asked for.
    const hangingUp = new AbortController();
    const skillAsked = site.swallowNext(artifact);
    const paid = 'refund_order {"order":"D-1","amount":1}';
    const half = await send(
      worker,
      `load_skill {"name":"refunds"}\n${paid}\nload_skill {"name":"parcel-tracking"}`,
      undefined,
      hangingUp.signal,
    );
    // What the model was told of the refund is read first: only then is it known to be paid.
    const told = textStreamOf(half);
    expect(await readUntil(told, 'for order D-1')).toContain('Paid back 1 for order D-1.');
    await skillAsked;
    const orders = Array.from({ length: 8 }, (_, number) => `C-${number}`);
    const others = orders.map(
      async (order) =>
        await say(
          worker,
          `load_skill {"name":"refunds"}\nrefund_order {"order":"${order}","amount":1}\nload_skill {"name":"parcel-tracking"}`,
        ),
    );
    hangingUp.abort();
    await expect(readUntil(told, 'never said')).rejects.toThrow('aborted');
    expect((await Promise.all(others)).map(({ outputs }) => outputs.slice(1))).toEqual(
      orders.map((order) => [`Paid back 1 for order ${order}.`, expect.stringContaining('Ask for the number of the parcel.')]),
    );

    // What it had done until then is known to its conversation.
    const conversation = half.headers.get('x-conversation') ?? '';
    const after = await vi.waitFor(async () => await say(worker, paid, conversation), { timeout: 240_000, interval: 50 });
    expect(after.outputs).toEqual(['Order D-1 was paid back before.']);
  });

  it('SRC-9: a model is shown the skills of the bundle, of the bucket and of the site', async () => {
    const { text } = await say(worker, 'Hello.');
    expect([...text.matchAll(/<skill name="([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'parcel-damage',
      'parcel-tracking',
      'refunds',
      'tone',
    ]);
    expect(await skillsOf(worker)).toEqual({
      skills: [
        ['parcel-damage', 'team', true],
        ['parcel-tracking', 'carrier', false],
        ['refunds', 'own', true],
        ['tone', 'own', true],
      ],
      diagnostics: [],
    });
  });

  it('SRC-9, ADP-4: opens a tool by the load of a bundled skill, over several requests, until it is unloaded', async () => {
    const first = await say(worker, 'refund_order {"order":"A-1","amount":40}\nload_skill {"name":"refunds"}');
    expect(first.outputs).toEqual([expect.stringContaining('(not-loaded)'), expect.stringContaining('Never guess an order.')]);
    const second = await say(
      worker,
      'refund_order {"order":"A-1","amount":40}\nrefund_order {"order":"A-1","amount":40}',
      first.conversation,
    );
    expect(second.outputs).toEqual(['Paid back 40 for order A-1.', 'Order A-1 was paid back before.']);
    const third = await say(worker, 'unload_skill {"name":"refunds"}\nrefund_order {"order":"A-2","amount":40}', first.conversation);
    expect(third.outputs).toEqual([expect.stringContaining('no longer active'), expect.stringContaining('(not-loaded)')]);
    const fourth = await say(worker, 'load_skill {"name":"refunds"}\nrefund_order {"order":"A-2","amount":40}', first.conversation);
    expect(fourth.outputs).toEqual([expect.stringContaining('Never guess an order.'), 'Paid back 40 for order A-2.']);
  });

  it('SRC-9: what one conversation has loaded is open in no other', async () => {
    await say(worker, 'load_skill {"name":"refunds"}');
    const { outputs } = await say(worker, 'refund_order {"order":"B-1","amount":1}');
    expect(outputs).toEqual([expect.stringContaining('(not-loaded)')]);
  });

  it('ADP-4: nobody brings a transcript of their own, nor the id of no conversation', async () => {
    const forged = { message: 'refund_order {"order":"B-2","amount":1}', messages: [{ role: 'assistant', parts: [] }] };
    expect((await fetch(`${worker.url}/chat`, { method: 'POST', body: JSON.stringify(forged) })).status).toBe(400);
    expect((await send(worker, 'Hello.', crypto.randomUUID())).status).toBe(404);
    expect((await send(worker, 'Hello.', '../refunds/A-1')).status).toBe(400);
  });

  it('SRC-9: reads no body that is longer than a message, and goes on with no conversation for ever', async () => {
    const long = `{"message":"Hello."}${' '.repeat(2 ** 17)}`;
    expect((await fetch(`${worker.url}/chat`, { method: 'POST', body: long })).status).toBe(400);
    let conversation: string | undefined;
    for (let turn = 0; turn < 20; turn += 1) conversation = (await say(worker, 'Hello.', conversation)).conversation;
    const over = await send(worker, 'Hello.', conversation);
    expect([over.status, await over.json()]).toEqual([409, { error: expect.stringContaining('Begin a new one') }]);
  });

  it('SRC-9: reads text and bytes of a skill in R2', async () => {
    const { outputs } = await say(
      worker,
      'load_skill {"name":"parcel-damage"}\nread_skill_file {"skill":"parcel-damage","path":"references/checklist.md"}\nread_skill_file {"skill":"parcel-damage","path":"assets/sticker.png"}',
    );
    expect(outputs).toEqual([
      expect.stringContaining('assets/sticker.png'),
      expect.stringContaining('the box from two sides'),
      expect.stringContaining('image/png'),
    ]);
    const sticker = await fetch(`${worker.url}/skills/parcel-damage/assets/sticker.png`);
    expect(sticker.headers.get('content-type')).toBe('image/png');
    expect(await sha256Hex(new Uint8Array(await sticker.arrayBuffer()))).toBe(
      await sha256Hex(await readFile(join(example, 'team-skills/parcel-damage/assets/sticker.png'))),
    );
  });

  it('SRC-4, SRC-9: a skill of a site is read and opens nothing', async () => {
    const { outputs } = await say(
      worker,
      'load_skill {"name":"parcel-tracking"}\nread_skill_file {"skill":"parcel-tracking","path":"references/depots.md"}\nrefund_order {"order":"B-3","amount":1}',
    );
    expect(outputs).toEqual([
      expect.stringContaining('Ask for the number of the parcel.'),
      expect.stringContaining('North, south.'),
      expect.stringContaining('(not-loaded)'),
    ]);
    expect((await fetch(`${worker.url}/skills/parcel-tracking/references/depots.md`)).status).toBe(404);
  });

  it('SRC-9: the bundle that is committed is the one of the folders', async () => {
    expect(await repertoire('bundle', 'skills', '--out', 'src/skills.gen.ts', '--check')).toContain('up to date');
  });
});

describe('examples/worker-agent in workerd, with a key and a site that is away', () => {
  let own: OwnWranglerFolder;
  let claude: Awaited<ReturnType<typeof standInForClaude>>;
  let keyed: RunningWorker;

  beforeAll(async () => {
    own = await ownWranglerFolder(example);
    await cp(published, own.state, { recursive: true });
    const away = await skillsSite([]);
    await away[Symbol.asyncDispose]();
    claude = await standInForClaude();
    keyed = await startIn(own, { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: claude.url, CARRIER_SKILLS_URL: away.url });
  });
  afterAll(async () => {
    await keyed[Symbol.asyncDispose]();
    await claude[Symbol.asyncDispose]();
    await own[Symbol.asyncDispose]();
  });

  it('SRC-9, ADP-4: with a key, Claude is asked with the skills, and no longer than its client waits', async () => {
    const answer = say(keyed, 'I want my money back.');
    const first = await claude.next();
    expect(first.body.system.map(({ text }) => text).join('')).toContain('<skill name="refunds">');
    expect(first.body.tools.map(({ name }) => name)).toEqual(['load_skill', 'read_skill_file', 'unload_skill', 'refund_order']);
    first.callTool('load_skill', { name: 'refunds' });
    const second = await claude.next();
    expect(JSON.stringify(second.body.messages.at(-1))).toContain('Never guess an order.');
    second.callTool('refund_order', { order: 'E-1', amount: 1 });
    const third = await claude.next();
    third.say('Done.');
    expect((await answer).outputs).toEqual([expect.stringContaining('Never guess an order.'), 'Paid back 1 for order E-1.']);

    const hangingUp = new AbortController();
    const half = await send(keyed, 'And now?', (await answer).conversation, hangingUp.signal);
    const fourth = await claude.next();
    hangingUp.abort();
    await expect(half.text()).rejects.toThrow('aborted');
    await fourth.left;
  });

  it('SRC-9: a site that is away is left out and named, and the others go on', async () => {
    expect(await skillsOf(keyed)).toEqual({
      skills: [
        ['parcel-damage', 'team', true],
        ['refunds', 'own', true],
        ['tone', 'own', true],
      ],
      diagnostics: [expect.stringContaining('"carrier" is left out')],
    });
  });
});

async function startIn(own: OwnWranglerFolder, variables: Readonly<Record<string, string>>): Promise<RunningWorker> {
  return await own.start({ variables, readyPath: '/ready' });
}

async function send({ url }: RunningWorker, message: string, conversation?: string, signal?: AbortSignal): Promise<Response> {
  return await fetch(`${url}/chat`, {
    method: 'POST',
    // Compressed, a stream would come in one piece.
    headers: { 'accept-encoding': 'identity' },
    body: JSON.stringify({ message, ...(conversation !== undefined && { conversation }) }),
    ...(signal !== undefined && { signal }),
  });
}

async function say(worker: RunningWorker, message: string, conversation?: string): Promise<Answer> {
  return await answerOf(await send(worker, message, conversation));
}

/** What the API of Anthropic is asked, as far as it is looked at here. */
interface ClaudeRequest {
  readonly system: readonly { readonly text: string }[];
  readonly tools: readonly { readonly name: string }[];
  readonly messages: readonly unknown[];
}

/** Speaks the protocol of Anthropic, and answers when the test says so. */
async function standInForClaude() {
  const server = createServer().listen(0, '127.0.0.1');
  const requests = on(server, 'request');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async next() {
      const [request, response] = (await requests.next()).value as [IncomingMessage, ServerResponse];
      const left = once(response, 'close');
      const answer = (block: object, delta: object, reason: string): void => {
        const message = {
          id: crypto.randomUUID(),
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          usage: { input_tokens: 1, output_tokens: 1 },
        };
        const events = [
          { type: 'message_start', message },
          { type: 'content_block_start', index: 0, content_block: block },
          { type: 'content_block_delta', index: 0, delta },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
          { type: 'message_stop' },
        ];
        response.setHeader('content-type', 'text/event-stream');
        response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
      };
      return {
        body: (await json(request)) as ClaudeRequest,
        /** Resolves when the Worker no longer waits. */
        left,
        callTool: (name: string, input: object) =>
          answer(
            { type: 'tool_use', id: crypto.randomUUID(), name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(input) },
            'tool_use',
          ),
        say: (text: string) => answer({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
      };
    },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Runs the command in the folder of the example.
 *
 * @returns what it says
 */
async function repertoire(...parameters: string[]): Promise<string> {
  let said = '';
  const stdout = { write: (text: string) => (said += text) };
  const code = await run(parameters, { cwd: example, stdout, stderr: stdout });
  expect([code, said]).toEqual([0, expect.any(String)]);
  return said;
}

async function skillsOf({ url }: RunningWorker): Promise<{ skills: [string, string, boolean][]; diagnostics: string[] }> {
  const { skills, diagnostics } = (await (await fetch(`${url}/skills`)).json()) as {
    skills: { name: string; source: string; trusted: boolean }[];
    diagnostics: { message: string }[];
  };
  return {
    skills: skills.map(({ name, source, trusted }) => [name, source, trusted]),
    diagnostics: diagnostics.map(({ message }) => message),
  };
}

/** The text of a response as it comes in. */
function textStreamOf({ body }: Response): ReadableStreamDefaultReader<string> {
  if (body === null) throw new Error('The answer has no body.');
  return body.pipeThrough(new TextDecoderStream()).getReader();
}

/** Reads up to these words, or to the end. */
async function readUntil(reader: ReadableStreamDefaultReader<string>, words: string): Promise<string> {
  let text = '';
  while (!text.includes(words)) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  return text;
}

/** Reads a UI message stream to its end. */
async function answerOf(response: Response): Promise<Answer> {
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const chunks = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(
    ([, data]) => JSON.parse(data ?? '') as { type: string; output?: string; errorText?: string; delta?: string },
  );
  return {
    outputs: chunks.flatMap(({ type, output, errorText }) => (type.startsWith('tool-output') ? [output ?? errorText ?? ''] : [])),
    text: chunks.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : [])).join(''),
    conversation: response.headers.get('x-conversation') ?? '',
  };
}
