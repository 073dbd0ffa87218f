import { SkillCatalogError, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { startOfMessage } from '../provider/mcp-call.ts';

/**
 * Why official clients would reject a `SKILL.md`. Their parser supports a part of YAML, and rejects
 * the whole listing for one entry that breaks a rule of the format.
 */
export async function officialProblems(
  name: string,
  skillMd: Uint8Array,
  frontmatter: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  try {
    const entry = await skillEntry(name, { 'SKILL.md': skillMd });
    const isSame = sorted(entry.frontmatter) === sorted(frontmatter);
    return isSame ? [] : ['official clients read its frontmatter in another way'];
  } catch (error) {
    if (error instanceof SkillCatalogError) return error.problems.map(({ message }) => message);
    return [startOfMessage(error)];
  }
}

/** The order of keys does not matter. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
