import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { run } from '@repertoire/cli';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const working = path.join(import.meta.dirname, 'models/working-model.ts');
const failing = path.join(import.meta.dirname, 'models/failing-model.ts');

async function library(): Promise<TemporaryFolder> {
  return await temporaryFolder({
    'skills/counter/SKILL.md': skillMd('counter', '', 'Run scripts/count.sh.'),
    'skills/counter/scripts/count.sh': '#!/bin/bash\necho "counted $# words"\n',
  });
}

const just = ['--runner', 'just-bash'];

/** Runs with somebody who gives the same answer to each question. */
async function asking(cwd: string, answer: string): Promise<{ code: number; stdout: string; stderr: string; questions: string[] }> {
  const questions: string[] = [];
  const text = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({ write: (more: string) => (text[name] += more) });
  const code = await run(['run', 'count', '--skills', 'skills', '--model', working, ...just], {
    cwd,
    env: {},
    stdout: output('stdout'),
    stderr: output('stderr'),
    ask: async (question) => {
      questions.push(question);
      return answer;
    },
  });
  return { code, ...text, questions };
}

describe('AUT-1: repertoire run', () => {
  it('AUT-1: streams the answer to stdout, and tells each step on stderr', async () => {
    const folder = await library();
    const result = await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working, ...just, '--yes']);
    expect(result.code).toBe(0);
    // What a model writes moves no cursor; a character of two halves stays whole.
    expect(result.stdout).toMatch(/^Let me look\. \n\uFFFD\[2J😀 It said: .*counted 2 words.*\n$/s);
    expect(result.stderr).toMatch(
      /· load_skill \{"name":"counter"\}\n· count_words \{\}\n· count_words failed: .*unavailable tool.*\n· run_skill_script .*count\.sh.*\n· runs scripts\/count\.sh of counter\n3 steps, 30 tokens in, 15 out; skills loaded: counter\.\n$/,
    );
    const json = JSON.parse(
      (await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working, ...just, '--yes', '--json'])).stdout,
    ) as object;
    expect(json).toMatchObject({ ok: true, loaded: ['counter'], steps: 3, text: expect.stringContaining('counted 2 words') });
  });

  it('AUT-1: asks before a script runs, shows it, and takes nothing but a yes for one', async () => {
    const folder = await library();
    const yes = await asking(folder.path, 'y');
    expect(yes.stdout).toContain('counted 2 words');
    expect(yes.questions).toHaveLength(1);
    expect(yes.questions[0]).toMatch(
      /wants to run scripts\/count\.sh of counter \(skills\), by just-bash\.\n {2}arguments: \["a","b"\]\n {2}skill: sha256 [0-9a-f]{16}…\n {2}\| #!\/bin\/bash\n/,
    );
    for (const answer of ['', 'n', 'yesterday', 'sure']) {
      const no = await asking(folder.path, answer);
      expect(no.stdout, answer).not.toContain('counted 2 words');
      expect(no.stdout, answer).toContain('did not approve');
    }
  });

  it('AUT-1: hands files of the person to scripts, as copies, and tells the model where they are', async () => {
    const folder = await temporaryFolder({
      'skills/counter/SKILL.md': skillMd('counter', '', 'Run scripts/count.sh.'),
      'skills/counter/scripts/count.sh': 'cat inputs/notes.txt inputs/data/in.txt\necho changed > inputs/notes.txt\n',
      'notes.txt': 'first\n',
      'elsewhere/other.txt': 'second\n',
    });
    const argv = ['run', 'count', '--skills', 'skills', '--model', working, ...just, '--yes'];
    const files = ['--file', 'notes.txt', 'data/in.txt=elsewhere/other.txt'];
    const { code, stdout } = await runCli(folder.path, [...argv, ...files]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/first\\nsecond/) });
    expect(await readFile(folder.at('notes.txt'), 'utf8')).toBe('first\n');
    const prompt = path.join(import.meta.dirname, 'models/prompt-model.ts');
    const told = await runCli(folder.path, ['run', 'x', '--skills', 'skills', '--model', prompt, ...just, ...files], { isTTY: true });
    expect(told.stderr).toContain('Waiting for the model…');
    expect(told.stdout).toContain('scripts find at these paths: "inputs/notes.txt", "inputs/data/in.txt".');
  });

  it.each([
    ['a file that is not there', ['none.txt'], 2, /--file names "none\.txt", which cannot be read\. There is no such file/],
    ['a folder', ['skills'], 2, /no regular file/],
    [
      'a file outside of the working folder without a name',
      ['../outside.txt'],
      2,
      /Say where it is to see it: --file outside\.txt=\.\.\/outside\.txt/,
    ],
    ['a name that leaves the folder of the run', ['../x=notes.txt'], 2, /cannot be read|cannot see/],
    ['two files for one path', ['notes.txt', 'notes.txt'], 2, /two files for notes\.txt/],
    ['too large a file', ['large.bin'], 1, /more than 67108864 bytes together/],
  ])('AUT-1: --file refuses %s', async (_, files, code, message) => {
    const folder = await library();
    await folder.write({ 'notes.txt': 'x' });
    await writeFile(folder.at('large.bin'), '');
    await truncate(folder.at('large.bin'), 2 ** 26 + 1);
    const result = await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working, ...just, '--file', ...files]);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('AUT-1: where nobody can be asked, or no runner was given, nothing runs', async () => {
    const folder = await library();
    const nobody = await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working, ...just]);
    expect(nobody.stdout).toContain('nobody can be asked here; --yes approves scripts beforehand');
    const none = await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working]);
    expect(none.stdout).not.toContain('counted 2 words');
  });

  it.each([
    ['input', process.stdin, process.stderr],
    ['output of questions', process.stderr, process.stdin],
  ])('AUT-1: a terminal that is only the %s cannot be asked', async (_, terminal, other) => {
    for (const stream of [terminal, other]) {
      const before = Object.getOwnPropertyDescriptor(stream, 'isTTY');
      onTestFinished(() => {
        if (before === undefined) Reflect.deleteProperty(stream, 'isTTY');
        else Object.defineProperty(stream, 'isTTY', before);
      });
      Object.defineProperty(stream, 'isTTY', { value: stream === terminal, configurable: true, writable: true });
    }
    const folder = await library();
    const { stdout } = await runCli(folder.path, ['run', 'count', '--skills', 'skills', '--model', working, ...just]);
    expect(stdout).toContain('nobody can be asked here');
  });

  it('AUT-1: reaches a provider with the key of the environment', async () => {
    const asked: { url: string | undefined; key: unknown; model: unknown }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push({ url: request.url, key: request.headers['x-api-key'], model: (JSON.parse(body) as { model: unknown }).model });
        response
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const folder = await library();
    const env = {
      ANTHROPIC_API_KEY: 'sk-test',
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      REPERTOIRE_MODEL: 'anthropic/claude-x',
    };
    const result = await runCli(folder.path, ['run', 'hello', '--skills', 'skills'], { env });
    expect(asked).toEqual([{ url: '/messages', key: 'sk-test', model: 'claude-x' }]);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('invalid x-api-key') });
  });

  it.each([
    ['no model', [], 2, /No model is named\. Give --model, such as .* or set REPERTOIRE_MODEL/],
    ['no key', ['--model', 'openai/gpt-x'], 2, /There is no key for the model openai\/gpt-x\. Set OPENAI_API_KEY/],
    ['a model that fails', ['--model', failing], 1, /The quota is used up/],
    ['a model that is not done', ['--model', working, '--max-steps', '1'], 1, /was not done after 1 step\. Raise --max-steps/],
    ['--file without a runner', ['--model', working, '--file', 'x.txt'], 2, /--file is for scripts, and without --runner none runs/],
    ['--yes without a runner', ['--model', working, '--yes'], 2, /without --runner none runs/],
    ['a module without a model', ['--model', 'skills/x.mjs'], 2, /exports no model: a model of the AI SDK/],
  ] as const)('AUT-1: says what is wrong with %s', async (_, argv, code, message) => {
    const folder = await library();
    await folder.write({ 'skills/x.mjs': 'export const model = 7;' });
    expect(await runCli(folder.path, ['run', 'count', '--skills', 'skills', ...argv])).toMatchObject({
      code,
      stderr: expect.stringMatching(message),
    });
  });
});
