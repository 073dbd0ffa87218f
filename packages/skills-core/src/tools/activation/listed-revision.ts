import { listedVersion } from '../../catalog/listed-versions.ts';
import type { SkillMetadata } from '../../contract/skill-provider.ts';
import { revisionOf } from '../../state/revision.ts';
import type { ToolEnvironment } from '../tool-environment.ts';

/**
 * The revision of a skill as the session lists it, since that is what a gate compares. A skill that is not listed in this version (its
 * author changed it after the listing) gets a revision of its own.
 */
export function listedRevision({ catalog }: Pick<ToolEnvironment, 'catalog'>, skill: SkillMetadata & { readonly body: string }): string {
  const listed = listedVersion(catalog.listed, skill.name, skill.version);
  return revisionOf(listed ?? { name: skill.name, description: skill.description, version: skill.version });
}
