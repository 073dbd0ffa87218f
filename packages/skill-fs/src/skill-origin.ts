import { pathToFileURL } from 'node:url';
import type { SkillOrigin } from '@repertoire/skills-core/provider';
import type { DiscoveredRoot, SkillFile } from './discover-skill-files.ts';

/** Where a skill came from, by what the host configured for its root. */
export function originOf({ root: { path, place, label, trusted }, rootUri }: DiscoveredRoot, { folder }: SkillFile): SkillOrigin {
  const inner = folder.slice(path.length + 1);
  // Building a URL is slow, so it is avoided if nothing needs escaping.
  const isPlain = folder.startsWith(path) && folder[path.length] === '/' && /^[\w./-]+$/.test(inner);
  // In NFC, as the disk of another machine may spell it otherwise.
  const below = isPlain ? inner : inner.normalize('NFC');
  const own = below === '' ? place : `${place}/${below}`;
  return { kind: 'fs', label, place: own, uri: isPlain ? `${rootUri}${inner}/` : pathToFileURL(`${folder}/`).href, trusted };
}
