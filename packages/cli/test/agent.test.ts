import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { agentGraph } from '@repertoire/declarative';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgentHost } from '../src/agent/load-agent-host.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const examples = path.join(import.meta.dirname, '../../../examples/declarative-agents');
const agents = path.join(import.meta.dirname, 'agents');
const question = 'How cold is it in Oslo?';

interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly model: string; readonly messages: readonly { readonly content: unknown }[] };
}

/** A model behind HTTP, which answers every request with one text. */
async function modelServer(answer: (text: string) => unknown): Promise<{ readonly url: string; readonly requests: ModelRequest[] }> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as ModelRequest['body'] });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer('Cold.')));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const speaks = (provider: string): string => `
llms: [{ id: main, provider: ${provider}, model_name: some-model }]
nodes: [{ name: answer, type: call_llm, args: { prompt: '"Be short."' } }]
`;

describe('AUT-1 DEC-1: repertoire agent check', () => {
  it('AUT-1: tells each problem with line, column and the way out', async () => {
    const folder = await temporaryFolder({
      'good.agent.yaml': speaks('openai'),
      'bad.agent.yaml': 'nodes:\n  - name: a\n    type: set_state\n    args: { state_updates: { mesages: "1" } }\n',
      'cut.agent.yaml': 'nodes: [',
    });
    expect(await runCli(folder.path, ['agent', 'check', 'good.agent.yaml'])).toEqual({
      code: 0,
      stdout: 'Valid agent: good.agent.yaml\n',
      stderr: '',
    });
    const bad = await runCli(folder.path, ['agent', 'check', 'bad.agent.yaml']);
    expect(bad).toMatchObject({ code: 1, stdout: 'bad.agent.yaml has 1 error.\n' });
    expect(bad.stderr).toMatch(/^bad\.agent\.yaml:4:30 There is no channel "mesages".*Did you mean "messages"\?.*\n$/);
    const json = await runCli(folder.path, ['agent', 'check', 'bad.agent.yaml', '--json']);
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
      1,
      { ok: false, file: 'bad.agent.yaml', valid: false, problems: [{ code: 'agent-reference', line: 4, column: 30 }], errors: [] },
    ]);
    expect(await runCli(folder.path, ['agent', 'check', 'cut.agent.yaml'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^cut\.agent\.yaml:1:\d+ /),
    });
    expect(await runCli(folder.path, ['agent', 'check', 'none.agent.yaml'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no file'),
    });
  });

  it('AUT-1: checks skills in the folders that are allowed, and what a host gives', async () => {
    const file = 'agents/discover.agent.yaml';
    const outside = await runCli(examples, ['agent', 'check', file]);
    expect(outside).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/:8:22 The path .* may not read[\s\S]*--within <folders\.\.\.>/),
    });
    expect(await runCli(examples, ['agent', 'check', file, '--within', 'skills'])).toMatchObject({ code: 0 });
    expect(await runCli(examples, ['agent', 'check', file, '--host', 'src/host.ts'])).toMatchObject({ code: 0 });
    const folder = await temporaryFolder({
      'a.agent.yaml': `tools: [{ id: refund }]\nskills: [{ folder: skills }]\n${speaks('openai').replace('args: {', 'args: { tools: [{ id: refund }],')}`,
      'skills/a/SKILL.md': '---\nname: a\ndescription: A.\n---\nDo it.\n',
      'host.mjs': 'export default { models: {}, tools: [] };',
      'broken.mjs': 'throw new Error("OPENAI_API_KEY is not set");',
    });
    expect(await runCli(folder.path, ['agent', 'check', 'a.agent.yaml'])).toMatchObject({ code: 0 });
    const { code, stderr } = await runCli(folder.path, ['agent', 'check', 'a.agent.yaml', '--host', 'host.mjs']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no model "main"[\s\S]*no tool "refund"/)]);
    const broken = await runCli(folder.path, ['agent', 'check', 'a.agent.yaml', '--host', 'broken.mjs']);
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('broken.mjs" cannot be imported: OPENAI_API_KEY is not set') });
  });
});

it('DEC-1: the host is the default export of a module, or what its function gives', async () => {
  const folder = await temporaryFolder();
  await folder.write({
    'object.mjs': 'export default { gatedTools: ["refund"] };',
    'function.mjs': 'export default async () => ({ gatedTools: ["pay"] });',
    'none.mjs': 'export const host = {};',
  });
  expect(await loadAgentHost(folder.at('object.mjs'))).toEqual({ gatedTools: ['refund'] });
  expect(await loadAgentHost(folder.at('function.mjs'))).toEqual({ gatedTools: ['pay'] });
  await expect(loadAgentHost(folder.at('none.mjs'))).rejects.toMatchObject({ code: 'invalid-options' });
  await expect(loadAgentHost(folder.at('absent.mjs'))).rejects.toMatchObject({ code: 'source-unavailable' });
});

describe('AUT-1 DEC-1: repertoire agent graph', () => {
  it('AUT-1: prints the picture for Mermaid, or writes it', async () => {
    const folder = await temporaryFolder();
    const file = path.join(examples, 'agents/plan.agent.yaml');
    const mermaid = await agentGraph(await readFile(file, 'utf8'));
    expect(await runCli(folder.path, ['agent', 'graph', file])).toEqual({ code: 0, stdout: `${mermaid.trimEnd()}\n`, stderr: '' });
    const json = await runCli(folder.path, ['agent', 'graph', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, file, mermaid });
    expect(await runCli(folder.path, ['agent', 'graph', file, '--out', 'pictures/plan.mmd'])).toMatchObject({
      code: 0,
      stdout: 'Wrote pictures/plan.mmd.\n',
    });
    expect(await readFile(folder.at('pictures/plan.mmd'), 'utf8')).toBe(`${mermaid.trimEnd()}\n`);
    await folder.write({ 'bad.yaml': 'nodes: []' });
    expect(await runCli(folder.path, ['agent', 'graph', 'bad.yaml', '--out', 'bad.mmd'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/error invalid-agent [\s\S]*bad\.yaml:1:/),
    });
    expect(await folder.list()).toEqual(['bad.yaml', 'pictures/plan.mmd']);
  });
});

describe('AUT-1 DEC-1: repertoire agent run', () => {
  it('AUT-1: tells of each step on stderr and prints the answer on stdout', async () => {
    const run = ['agent', 'run', 'agents/discover.agent.yaml', '--host', path.join(agents, 'host.ts')];
    const { code, stdout, stderr } = await runCli(examples, [...run, '--input', question]);
    expect([code, stdout]).toEqual([0, 'It is -3 °C in Oslo.\n']);
    expect(stderr.replaceAll(/ \{"(?:name|city)".*$/gm, '').split('\n')).toEqual([
      'discover: ai: calls load_skill_md',
      expect.stringMatching(/^discover_tools: tool load_skill_md: <skill_content name="weather"/),
      'discover: ai: I use the weather skill.',
      'execute: ai: calls get_weather',
      'execute_tools: tool get_weather: {"place":"Oslo","temperature":-3,"wind":12}',
      'execute: ai: It is -3 °C in Oslo.',
      '',
    ]);
    const json = await runCli(examples, [...run, '--json', '--input', JSON.stringify({ messages: [{ role: 'user', content: question }] })]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      text: 'It is -3 °C in Oslo.',
      messages: [
        { type: 'human', text: question },
        { type: 'ai', toolCalls: [{ name: 'load_skill_md', input: { name: 'weather' } }] },
        {},
        {},
        {},
        {},
        {},
      ],
      state: { loaded_skills: { weather: { version: '1.0.0' } } },
      questions: [],
    });
  });

  it('AUT-1: stops at a question, and goes on with --answer', async () => {
    const run = ['agent', 'run', 'asks.agent.yaml', '--input', '{}'];
    const stopped = await runCli(agents, run);
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining('waits for an answer to "Sure?". Give it with --answer') });
    expect(await runCli(agents, [...run, '--answer', 'yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The agent asks ["yes"]. Give one more --answer.'),
    });
    const done = await runCli(agents, [...run, '--answer', 'yes', 'really', '--json']);
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { ok: true, state: { said: ['yes', 'really'] }, questions: [] }]);
  });

  it('AUT-1: what a model says when it fails is told as that, and not as a failure of files', async () => {
    const run = ['agent', 'run', 'agents/discover.agent.yaml', '--host', path.join(agents, 'failing-host.ts'), '--input', question];
    const { code, stderr } = await runCli(examples, run);
    expect([code, stderr]).toEqual([1, expect.stringContaining('error agent-failed The agent failed: 401 Incorrect API key provided.')]);
    expect(stderr).not.toMatch(/source-unavailable|check files/);
  });

  it('AUT-1: an agent that does not end is ended', async () => {
    expect(await runCli(agents, ['agent', 'run', 'loop.agent.yaml', '--input', 'Hi', '--max-steps', '3'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/(?:again: done\n){3}error limit-exceeded The agent took more steps .*--max-steps/),
    });
  });

  it('AUT-1: models come from the environment where the host gives none', async () => {
    const openai = await modelServer((text) => ({
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    }));
    const anthropic = await modelServer((text) => ({
      id: 'x',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text }],
      usage: { input_tokens: 1, output_tokens: 1 },
    }));
    const folder = await temporaryFolder({
      'o.yaml': speaks('openai'),
      'a.yaml': speaks('anthropic'),
      'none.yaml': speaks('x').replace('provider: x, ', ''),
    });
    const keys = {
      OPENAI_API_KEY: 'sk-o',
      OPENAI_BASE_URL: `${openai.url}/v1`,
      ANTHROPIC_API_KEY: 'sk-a',
      ANTHROPIC_BASE_URL: anthropic.url,
    };
    const ask = (file: string) => runCli(folder.path, ['agent', 'run', file, '--input', 'Hi'], { env: keys });
    for (const file of ['o.yaml', 'a.yaml', 'none.yaml'])
      expect(await ask(file)).toEqual({ code: 0, stdout: 'Cold.\n', stderr: 'answer: ai: Cold.\n' });
    expect(openai.requests.map(({ path: at, headers, body }) => [at, headers.authorization, body.model])).toEqual(
      Array.from({ length: 2 }, () => ['/v1/chat/completions', 'Bearer sk-o', 'some-model']),
    );
    expect(anthropic.requests.map(({ path: at, headers, body }) => [at, headers['x-api-key'], body.model])).toEqual([
      ['/v1/messages', 'sk-a', 'some-model'],
    ]);
  });

  it.each([
    ['no input', speaks('openai'), [], /Give --input/],
    ['input that is no JSON', speaks('openai'), ['--input', '{"messages": '], /--input begins as a JSON object and is none/],
    [
      'no key',
      speaks('openai'),
      ['--input', 'Hi'],
      /The model "main" needs an API key, and there is none\. Set OPENAI_API_KEY, or give the model with --host/,
    ],
    ['no key of any provider', speaks('x').replace('provider: x, ', ''), ['--input', 'Hi'], /Set OPENAI_API_KEY or ANTHROPIC_API_KEY/],
    ['another provider', speaks('mistral'), ['--input', 'Hi'], /the provider "mistral"\. Without a host, there are openai, anthropic/],
    ['a model without a name', speaks('openai').replace(', model_name: some-model', ''), ['--input', 'Hi'], /has no model_name/],
    ['an option of another action', speaks('openai'), ['--input', 'Hi', '--out', 'x.mmd'], /--out is for agent graph, not for agent run/],
    ['steps that are no number', speaks('openai'), ['--input', 'Hi', '--max-steps', 'many'], /whole number of at least 1/],
  ])('AUT-1: exits with 2 for %s', async (_, text, argv, message) => {
    const folder = await temporaryFolder({ 'a.agent.yaml': text });
    expect(await runCli(folder.path, ['agent', 'run', 'a.agent.yaml', ...argv])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });

  it.each([
    ['@repertoire/declarative', 'agent check a.yaml', 'repertoire agent needs @repertoire/declarative'],
    ['@langchain/langgraph', 'agent check a.yaml', 'repertoire agent needs @langchain/langgraph'],
    ['@langchain/openai', 'agent run a.yaml --input Hi', 'The model "main" needs @langchain/openai'],
  ])('AUT-1: without %s, it says what to install', async (absent, argv, message) => {
    const folder = await temporaryFolder({ 'a.yaml': speaks('openai') });
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => {
        if (!(name + '/').startsWith('${absent}/')) return next(name, context);
        throw Object.assign(new Error("Cannot find package '${absent}' imported from " + context.parentURL), { code: 'ERR_MODULE_NOT_FOUND' });
      } });`;
    const main = path.join(import.meta.dirname, '../src/main.ts');
    const child = spawn(
      process.execPath,
      ['--conditions=@repertoire/source', '--import', `data:text/javascript,${encodeURIComponent(hook)}`, main, ...argv.split(' ')],
      {
        cwd: folder.path,
        env: { ...process.env, OPENAI_API_KEY: 'sk' },
      },
    );
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`error invalid-options ${message}, which is not installed. Run: npm install @`),
    ]);
  });
});
