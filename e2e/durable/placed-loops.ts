import { isTried } from '../../test/support/property-runs.ts';
import { loops, type Loop } from './refund-agent.ts';
import { places } from './world.ts';

/** The loop of a run, and the place at which the run is killed. */
export interface PlacedLoop {
  readonly loop: Loop;
  readonly place?: string;
}

const engines = ['DBOS', 'LangGraph', 'Restate', 'Cloudflare'] as const;

/**
 * Which loop is killed at which place on an engine, and each loop once undisturbed: on every engine every place and every loop, and every loop at every place on one of
 * them. `pnpm fuzz --properties 1` tries all on all; on a journal in memory, `durable-agents.test.ts` always does.
 */
export function placedLoops(engine: (typeof engines)[number]): readonly PlacedLoop[] {
  return loops.flatMap((loop, last): PlacedLoop[] => [
    { loop },
    ...places
      .filter((_, place) => isTried({ last, size: loops.length }, place, engines.indexOf(engine)))
      .map((place): PlacedLoop => ({ loop, place })),
  ]);
}
