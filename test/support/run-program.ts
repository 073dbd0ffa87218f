import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** How a process ended. */
export interface EndedProgram {
  readonly signal: NodeJS.Signals | null;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a TypeScript file on our sources, in a process of its own. */
export async function runProgram(path: string, environment: Readonly<Record<string, string>>): Promise<EndedProgram> {
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', path], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, stdout: stdout.trim(), stderr: stderr.trim() };
}
