import { skillDigestFromFileDigests } from '@repertoire/skills-core/provider';
import type { StoredResource } from './skill-document.ts';

/** The content of a skill from the digests of its `SKILL.md` and of its other files. */
export async function contentOfFiles(main: string, resources: readonly Pick<StoredResource, 'path' | 'digest'>[]): Promise<string> {
  const files = resources.map(({ path, digest }) => [path, digest] as const);
  return await skillDigestFromFileDigests({ ...Object.fromEntries(files), 'SKILL.md': main });
}
