import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';

/** Kinds of sources that are part of the host's own program and disk. */
const localKinds: ReadonlySet<string> = new Set(['code', 'bundle', 'fs']);

/**
 * The label of the source, where a model has to see it: for skills that the host does not trust,
 * and for those that come from elsewhere. For folders and code of the host it would cost tokens and
 * say nothing.
 */
export function shownSource(skill: Pick<SkillMetadata, 'origin'>): string | undefined {
  const { origin } = skill;
  return origin !== undefined && (!isTrusted(skill) || !localKinds.has(origin.kind)) ? origin.label : undefined;
}
