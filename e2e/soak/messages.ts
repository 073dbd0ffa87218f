import type { AgentFigures } from './figures.ts';
import type { SoakPlaces } from './world.ts';

/** To the agent. */
export type WorldMessage =
  | {
      readonly kind: 'start';
      readonly places: SoakPlaces;
      readonly seed: number;
      readonly steadyPerSource: number;
      readonly sampleMs: number;
      /** After how many conversations the agent says that it is enough, for a run that is not measured in minutes; later where nothing whole was seen by then. */
      readonly conversations: number | undefined;
    }
  | { readonly kind: 'quiet'; readonly expected: Readonly<Record<string, number>> };

/** From the agent. */
export type AgentMessage =
  | { readonly kind: 'enough' }
  | { readonly kind: 'end'; readonly figures: AgentFigures; readonly faults: Readonly<Record<string, number>> };
