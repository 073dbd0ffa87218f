import { composeProviders, type SkillProvider } from '@repertoire/skills-core';
import { libraries, type ParityLibrary } from '@repertoire/skills-testkit/internal';

/** A kind of source: makes a provider of a library, and says how to let go of what it needed. */
export interface ParitySource {
  readonly name: string;
  open(library: ParityLibrary): Promise<OpenSource>;
}

/** A library that is there. */
export interface OpenSource {
  readonly provider: SkillProvider;
  close(): Promise<void>;
}

/** Both libraries from one kind of source, as one provider. */
export async function openLibraries(source: ParitySource): Promise<OpenSource> {
  const opened: OpenSource[] = [];
  for (const library of libraries) opened.push(await source.open(library));
  return {
    provider: composeProviders(opened.map(({ provider }) => provider)),
    async close() {
      for (const { close } of opened) await close();
    },
  };
}
