import { z } from 'zod';

const place = z.object({ destination: z.string() });

/**
 * The tools of the workspace by the ids that skills use, independent of the framework. They return
 * fixed data, so the example needs no network.
 */
export const workspaceTools = {
  'get-weather': { description: 'Weather at a place.', schema: place, run: () => ({ sky: 'rain', celsius: 9 }) },
  'search-flights': { description: 'Flights to a place.', schema: place, run: () => [{ flight: 'SK 4', euros: 129 }] },
  today: { description: 'Today.', schema: z.object({}), run: () => '2027-03-01' },
  'send-mail': {
    description: 'Sends a mail.',
    schema: z.object({ to: z.string() }),
    run: (): never => {
      throw new Error('No agent of this example may send mail.');
    },
  },
} as const;
