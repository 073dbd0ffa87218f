import type { SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze, Pace } from '@repertoire/skills-core/internal';
import { compareSkills } from '@repertoire/skills-core/provider';
import type { IndexedSkill, McpListing } from './indexed-skill.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { show } from './read-entry.ts';
import type { WalkedPages } from './walk-pages.ts';

/** What an entry costs, in characters of text. */
const entryCost = 256;

/**
 * Builds the listing, with each name and version once. By the extension a skill is identified by
 * its URI, so two skills can have the same name: the first by URI keeps the name, the others are
 * listed by their path (`acme/billing/refunds`).
 */
export async function finishListing(
  found: readonly IndexedSkill[],
  reports: readonly SkillDiagnostic[],
  { ttlMs, complete, interrupted }: Pick<WalkedPages, 'ttlMs' | 'complete' | 'interrupted'>,
  settings: McpSkillSettings,
): Promise<McpListing> {
  const diagnostics = [...reports];
  const byUri = Map.groupBy(found, ({ location }) => location.uri);
  const names = new Set<string>();
  const skills: IndexedSkill[] = [];
  const pace = new Pace();
  for (const [uri, copies] of [...byUri].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await pace.spend(entryCost);
    const [first] = copies;
    if (first === undefined) continue;
    if (copies.some(({ key }) => key !== first.key)) {
      diagnostics.push(contradictory(first, uri, settings));
      continue;
    }
    const key = ({ name, version }: { name: string; version: string | null }) => JSON.stringify([name, version]);
    if (!names.has(key(first.metadata))) {
      names.add(key(first.metadata));
      skills.push(first);
      continue;
    }
    const renamed = { ...first, metadata: { ...first.metadata, name: first.location.path } };
    if (names.has(key(renamed.metadata))) {
      diagnostics.push(contradictory(first, uri, settings));
      continue;
    }
    names.add(key(renamed.metadata));
    skills.push(renamed);
    diagnostics.push({
      code: 'skill-renamed',
      severity: 'warning',
      message: `"${settings.label}" has several skills ${show(first.metadata.name)}; that of ${show(uri)} goes by ${show(renamed.metadata.name)}.`,
      skill: renamed.metadata.name,
      path: uri,
      fix: 'Give them names that differ.',
    });
  }
  skills.sort((a, b) => compareSkills(a.metadata, b.metadata));
  const listing = deepFreeze({ skills: skills.map(({ metadata }) => metadata), diagnostics, complete });
  return { skills, listing, ttlMs, interrupted };
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
