import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../tools/workspace.ts';
import { prepared } from './prepared.ts';
import { runOutside } from './run-outside.ts';
import { startedExamples } from './started-examples.ts';

/** What each example says when it has done what it is to do. */
const ends: Readonly<Record<string, string>> = {
  'csv-analyst': '12 rows, 7 columns.',
  'declarative-agents': 'The agents did what they were to do.',
  demo: 'It loads the skill sql-tuning',
  'durable-workflow': `
                     process 1     process 2
timetable            ● ran         ○ recorded
bookings/book-train  ● ran         ○ recorded
bookings/book-hotel  ✗ killed      ● ran
payment                            ● ran
letter                             ● ran

Your trip is booked, 129 euros are paid.
Every step that had finished ran once. The one that was cut ran again, with the same idempotency key.`,
  'langgraph-plan-execute': 'The graph did what it was to do.',
  'langgraph-support-agent': 'The agent did what it was to do.',
  proposals: 'Ada (scripted): accepted',
  'workspace-agent': 'LangChain: SK 4 for 129 euros',
};

/** Where each example that serves a chat takes a message, and what it answers. */
const chats: Readonly<Record<string, readonly [path: string, answer: string]>> = {
  'ai-sdk-chat': ['/api/chat', 'Which order?'],
};

// A key would bring a real model.
const keys = Object.keys(process.env).filter((name) => name.endsWith('_API_KEY'));
const environment = { ...Object.fromEntries(keys.map((name) => [name, undefined])), PORT: '0' };

describe('examples on packed packages, as their READMEs start them, without a key', () => {
  let folder: string;
  beforeAll(async () => {
    folder = join(prepared().project, 'examples');
    const filter = (path: string): boolean => !['node_modules', 'test', 'tsconfig.json'].includes(basename(path));
    await cp(join(repositoryRoot, 'examples'), folder, { recursive: true, filter });
  });

  it('those that Node starts are all here; wrangler starts the others in tests of their own', () => {
    expect(startedExamples().map(({ path }) => basename(path))).toEqual([...Object.keys(ends), ...Object.keys(chats)].toSorted());
  });

  it.each(Object.entries(ends))('%s', async (name, end) => {
    // One example makes a PostgreSQL of WebAssembly, which runs for less long than V8 takes to optimize it.
    const { ok, output } = await runOutside(['node', '--liftoff-only', 'src/main.ts'], join(folder, name), environment);
    // Where the environment asks for colours, they stand between the words.
    expect(stripVTControlCharacters(output)).toContain(end);
    expect(ok).toBe(true);
  });

  it.each(Object.entries(chats))('%s, which answers a message', async (name, [path, answer]) => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: join(folder, name),
      env: { ...process.env, ...environment, NODE_PATH: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])) as [unknown];
    const { origin } = new URL(/http:\S+/.exec(String(line))?.[0] ?? `http://ended-${String(line)}`);
    const message = { id: 'first', role: 'user', parts: [{ type: 'text', text: 'A poem, please.' }] };
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify({ id: 'one', message, messages: [message] }) });
    const spoken = [...(await response.text()).matchAll(/"delta":"(?<text>[^"]*)"/g)].map(({ groups }) => groups?.['text']);
    expect(spoken.join('')).toContain(answer);
  });
});
