import { inCodeLibrary } from '@repertoire/skills-testkit/internal';
import type { ParitySource } from './source.ts';

/** The skills as data of the program; what all other sources publish, too. */
export const inCodeSource: ParitySource = {
  name: 'in code',
  open: async (library) => ({ provider: inCodeLibrary(library), close: async () => {} }),
};
