import path from 'node:path';
import type { LintSkill } from './lint-rule.ts';

const kept = new WeakMap<LintSkill['files'], ReadonlySet<string>>();

/** Whether a path inside a skill leads to one of its files or folders. */
export function hasFile({ files }: Pick<LintSkill, 'files'>, inside: string): boolean {
  const wanted = inside.endsWith('/') ? inside.slice(0, -1) : inside;
  return wanted === '' || wanted === 'SKILL.md' || placesOf(files).has(wanted);
}

/** The path as it is on disk, where it differs by capitals alone. */
export function namedAlike({ files }: Pick<LintSkill, 'files'>, inside: string): string | undefined {
  const wanted = (inside.endsWith('/') ? inside.slice(0, -1) : inside).toLowerCase();
  if (wanted === 'skill.md') return 'SKILL.md';
  for (const place of placesOf(files)) if (place.toLowerCase() === wanted) return place;
  return undefined;
}

function placesOf(files: LintSkill['files']): ReadonlySet<string> {
  const before = kept.get(files);
  if (before !== undefined) return before;
  const places = new Set<string>();
  for (const { path: file } of files) {
    for (let place = file.normalize('NFC'); place !== '.' && !places.has(place); place = path.posix.dirname(place)) places.add(place);
  }
  kept.set(files, places);
  return places;
}
