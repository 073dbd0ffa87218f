import { parsePlainSkillMd } from '@repertoire/skills-core/internal';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';

type LevelOne = Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'>;

interface Parser {
  readonly parseSkillFrontmatter: (content: string | Uint8Array, options: ParseSkillMdOptions) => LevelOne;
  readonly parseSkillMd: (content: Uint8Array, options: ParseSkillMdOptions) => ParsedSkillMd;
}

let parser: Parser | undefined;

/** Level 1 by the slower YAML parser; `undefined` where it is not loaded. */
export function parseLevelOneNow(head: string | Uint8Array, options: ParseSkillMdOptions): LevelOne | undefined {
  return parser?.parseSkillFrontmatter(head, options);
}

/** The same, and loads the YAML parser if it has to. */
export async function parseLevelOne(head: string | Uint8Array, options: ParseSkillMdOptions): Promise<LevelOne> {
  return (await loadParser()).parseSkillFrontmatter(head, options);
}

/** Reads a whole `SKILL.md`, and loads the YAML parser if it has to. */
export async function parseWhole(bytes: Uint8Array, options: ParseSkillMdOptions): Promise<ParsedSkillMd> {
  return parsePlainSkillMd(bytes, options) ?? (await loadParser()).parseSkillMd(bytes, options);
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

/** Loading it takes longer than listing hundreds of skills, and few need it. */
async function loadParser(): Promise<Parser> {
  parser ??= await import('@repertoire/skills-core/skill-md');
  return parser;
}
