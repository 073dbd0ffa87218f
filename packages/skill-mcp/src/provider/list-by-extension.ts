import type { SkillDiagnostic } from '@repertoire/skills-core';
import { isJsonObject } from '@repertoire/skills-core/internal';
import { finishListing } from './finish-listing.ts';
import type { IndexedSkill, McpListing } from './indexed-skill.ts';
import { isNotThere, type McpCall } from './mcp-call.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { readEntry } from './read-entry.ts';
import { walkPages } from './walk-pages.ts';

/** Lists the skills of a server with the extension, by entries alone (lazy retrieval). */
export async function listByExtension(call: McpCall, settings: McpSkillSettings): Promise<McpListing> {
  const found: IndexedSkill[] = [];
  const reports: SkillDiagnostic[] = [];
  const take = (raw: unknown): void => {
    const { skill, diagnostics: own } = readEntry(raw, settings);
    reports.push(...own);
    if (skill !== null) found.push(skill);
  };
  const { items, diagnostics, ...walked } = await walkPages(call, { method: 'skills/list', itemsKey: 'skills' }, settings, take);
  reports.unshift(...diagnostics);
  const listed = new Set(items.map((item) => (isJsonObject(item) ? item['uri'] : undefined)));
  for (const uri of settings.uris) {
    if (listed.has(uri)) continue;
    const entry = await getEntry(call, uri);
    if (entry === null) reports.push(missing(uri, settings));
    else take(entry);
  }
  return await finishListing(found, reports, walked, settings);
}

/** One entry by the URI of its `SKILL.md`; `null` if the server does not have it. */
export async function getEntry(call: McpCall, uri: string, signal?: AbortSignal): Promise<unknown> {
  try {
    const answer = await call('skills/get', { uri }, signal);
    const entry = isJsonObject(answer) ? answer['skill'] : undefined;
    // An answer about another skill does not count.
    return isJsonObject(entry) && entry['uri'] === uri ? entry : null;
  } catch (error) {
    if (isNotThere(error)) return null;
    throw error;
  }
}

function missing(uri: string, { label }: McpSkillSettings): SkillDiagnostic {
  return {
    code: 'skill-missing',
    severity: 'error',
    message: `"${label}" has no skill ${JSON.stringify(uri)}, which option \`uris\` names.`,
    path: uri,
    fix: 'Correct or remove the URI.',
  };
}
