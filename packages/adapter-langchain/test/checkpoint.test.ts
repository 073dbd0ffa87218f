import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram } from '../../../test/support/bundle-program.ts';
import { startTestPostgres, type Postgres } from '../../../test/support/postgres.ts';

const agentProcess = await bundleProgram(join(import.meta.dirname, 'agent-process.ts'));

/** Runs the agent until it says this line, or ends; then kills it where it has not ended. */
async function runUntil(line: string | null, ...args: string[]): Promise<{ readonly lines: string[]; readonly signal: string | null }> {
  const child = spawn(process.execPath, [agentProcess, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  const lines: string[] = [];
  for await (const said of createInterface(child.stdout)) {
    lines.push(said);
    if (said === line) child.kill('SIGKILL');
  }
  const [, signal] = await exited;
  return { lines, signal };
}

describe('a checkpointer on PostgreSQL', () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it.each(['agent', 'graph'])(
    'ADP-1 ADP-2: (%s) what is killed while it loads, and again in a tool, goes on in another process, with the right tools and nothing loaded twice',
    async (kind) => {
      for (const phase of ['load', 'order']) {
        const killed = await runUntil('waiting', kind, server.url, phase, kind);
        expect(killed).toEqual({ lines: ['waiting'], signal: 'SIGKILL' });
      }
      const { lines } = await runUntil(null, kind, server.url, 'resume', kind);
      const always = ['load_skill', 'read_skill_file', 'unload_skill'];
      expect(JSON.parse(lines.at(-1) ?? 'null')).toEqual({
        bound: [
          [...always, 'process_refund', 'lookup_order'],
          [...always, 'process_refund', 'lookup_order'],
        ],
        loads: 2,
        bodies: 1,
        loaded: ['billing', 'orders'],
        tools: { billing: ['process_refund'], orders: ['lookup_order'] },
        ran: ['refund 40'],
        answer: 'Refunded.',
      });
    },
  );
});
