import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import type { ParitySource } from './source.ts';
import { writeLibrary } from './write-library.ts';

/** A folder on disk. */
export const fsSource: ParitySource = {
  name: 'fs',
  async open(library) {
    const folder = await writeLibrary(library);
    const { label, trusted } = library;
    return {
      provider: fileSystemSkillProvider({ roots: [join(folder, 'skills')], label, trusted }),
      close: () => rm(folder, { recursive: true }),
    };
  },
};
