import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SoakFigures } from './figures.ts';
import { soakSources } from './library.ts';
import type { AgentMessage, WorldMessage } from './messages.ts';
import { openWorld } from './world.ts';

/** How long a run is, and which. */
export interface SoakOptions {
  readonly minutes: number;
  /** Ends the run after so many conversations, one complete listing and one notice of a change, if the minutes have not. */
  readonly conversations?: number | undefined;
  readonly seed: number;
  readonly skills: number;
}

const tickMs = 200;
const samples = 30;
/** How long the agent's process may take to end by itself; timers of libraries among it. */
const endMs = 15_000;

/** Runs servers in this process and an agent in another one. */
export async function runSoak({ minutes, conversations, seed, skills }: SoakOptions): Promise<SoakFigures> {
  const serverErrors: string[] = [];
  const onError = (reason: unknown): void => void serverErrors.push(String(reason instanceof Error ? reason.stack : reason));
  process.on('unhandledRejection', onError);
  const world = await openWorld(seed, skills);
  const agent = fork(join(import.meta.dirname, 'agent.ts'), { execArgv: ['--expose-gc', '--conditions=@repertoire/source'] });
  const exit = once(agent, 'exit');
  try {
    const enough = new AbortController();
    const end = Promise.withResolvers<Extract<AgentMessage, { kind: 'end' }>>();
    agent.on('message', (message: AgentMessage) => (message.kind === 'end' ? end.resolve(message) : enough.abort()));
    agent.on('exit', (code) => {
      enough.abort();
      end.reject(new Error(`The agent's process ended with ${code} before it was asked to.`));
    });
    end.promise.catch(() => {});
    const tell = (message: WorldMessage): void => void agent.send(message);
    const durationMs = minutes * 60_000;
    const steadyPerSource = Math.floor(Math.floor(skills / soakSources.length) * 0.8);
    tell({ kind: 'start', places: world.places, seed, steadyPerSource, sampleMs: durationMs / samples, conversations });
    const stop = performance.now() + durationMs;
    while (performance.now() < stop && !enough.signal.aborted) {
      await world.tick().catch(onError);
      await setTimeout(tickMs);
    }
    tell({ kind: 'quiet', expected: await world.quiet() });
    const { figures, faults } = await end.promise;
    const ended = await Promise.race([exit.then(([code]) => code === 0), setTimeout(endMs, false, { ref: false })]);
    const storage = Object.fromEntries(Object.entries(faults).map(([kind, count]) => [`storage ${kind}`, count]));
    return { seed, minutes, skills, changes: world.changes, faults: { ...world.faults, ...storage }, agent: figures, ended, serverErrors };
  } finally {
    agent.kill();
    await world.close();
    process.off('unhandledRejection', onError);
  }
}
