import { parsePlainSkillMd } from '@repertoire/skills-core/internal';
import type * as skillMd from '@repertoire/skills-core/skill-md';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';

/** Loading the YAML parser takes longer than listing hundreds of skills, and few need it. */
const yamlParser = async (): Promise<Pick<typeof skillMd, 'parseSkillFrontmatter' | 'parseSkillMd'>> =>
  await import('@repertoire/skills-core/skill-md');

/** What a listing takes of a frontmatter. */
export type LevelOne = Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'>;

/** Level 1 of what is not plain. */
export async function parseLevelOne(head: string | Uint8Array, options: ParseSkillMdOptions): Promise<LevelOne> {
  return (await yamlParser()).parseSkillFrontmatter(head, options);
}

/** A whole `SKILL.md`. */
export async function parseWhole(bytes: Uint8Array, options: ParseSkillMdOptions): Promise<ParsedSkillMd> {
  return parsePlainSkillMd(bytes, options) ?? (await yamlParser()).parseSkillMd(bytes, options);
}

/**
 * The body of a `SKILL.md` that starts with a frontmatter that was read before. `null` where the
 * rest may say more about the whole than its text.
 */
export function bodyBehind(head: string, bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  // Without its line end, the last line of the frontmatter may go on.
  if (!head.endsWith('\n') || !text.startsWith(head) || text.includes('\uFFFD') || text.includes('\0')) return null;
  const body = text.slice(head.length);
  return (body.includes('\r') ? body.replace(/\r\n?/g, '\n') : body).trim();
}
