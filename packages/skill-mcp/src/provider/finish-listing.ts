import type { SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, Pace } from '@repertoire/skills-core/internal';
import { compareSkills } from '@repertoire/skills-core/provider';
import type { IndexedSkill, McpListing } from './indexed-skill.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { namedApart } from './named-apart.ts';
import { show } from './read-entry.ts';
import type { WalkedPages } from './walk-pages.ts';

/** What an entry costs, in characters of text. */
const entryCost = 256;

/**
 * Builds the listing, with each name once. By the extension a skill is identified by its URI, so
 * two skills can have the same name: then each of them is listed by its path
 * (`acme/billing/refunds`), whatever the order, and none is left out. What our own publisher puts
 * into `_versions/` and `_unversioned/` are versions of the skill beside these folders, and of no
 * other.
 */
export async function finishListing(
  found: readonly IndexedSkill[],
  reports: readonly SkillDiagnostic[],
  { ttlMs, complete, interrupted }: Pick<WalkedPages, 'ttlMs' | 'complete' | 'interrupted'>,
  settings: McpSkillSettings,
): Promise<McpListing> {
  const diagnostics = [...reports];
  const byUri = Map.groupBy(found, ({ location }) => location.uri);
  const distinct: IndexedSkill[] = [];
  const pace = new Pace();
  for (const [uri, copies] of [...byUri].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await pace.spend(entryCost);
    const [first] = copies;
    if (first === undefined) continue;
    if (copies.some(({ key }) => key !== first.key)) diagnostics.push(contradictory(first, uri, settings));
    else distinct.push(first);
  }
  const skills = namedApart(distinct).map(({ skill, name }): IndexedSkill => {
    if (name === skill.metadata.name) return skill;
    diagnostics.push(renamed(skill, name, settings));
    return { ...skill, metadata: { ...skill.metadata, name } };
  });
  skills.sort((a, b) => compareSkills(a.metadata, b.metadata));
  const listing = deepFreeze({ skills: skills.map(({ metadata }) => metadata), diagnostics, complete });
  return { skills, listing, ttlMs, interrupted };
}

function renamed({ ownName, location }: IndexedSkill, name: string, { label }: McpSkillSettings): SkillDiagnostic {
  return {
    code: 'skill-renamed',
    severity: 'warning',
    message: `"${label}" has several skills ${show(ownName)}; that of ${show(location.uri)} goes by ${show(name)}.`,
    skill: name,
    path: location.uri,
    fix: 'Give them names that differ.',
  };
}

function contradictory({ metadata }: IndexedSkill, uri: string, { label }: McpSkillSettings): SkillDiagnostic {
  return {
    code: 'entry-duplicate',
    severity: 'error',
    message: `"${label}" lists ${show(uri)} more than once, and not the same each time. None of them is used.`,
    skill: metadata.name,
    path: uri,
    fix: 'Ask who runs the server to list each skill once.',
  };
}
