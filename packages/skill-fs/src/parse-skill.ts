import { parsePlainSkillFrontmatter } from '@repertoire/skills-core/internal';
import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
import type { ParsedSkillFrontmatter, ParsedSkillMd, ParseSkillMdOptions } from '@repertoire/skills-core/skill-md';

type LevelOne = Pick<ParsedSkillFrontmatter, 'metadata' | 'diagnostics'>;

interface Parser {
  readonly parseSkillFrontmatter: (content: string | Uint8Array, options: ParseSkillMdOptions) => LevelOne;
  readonly parseSkillMd: (content: Uint8Array, options: ParseSkillMdOptions) => ParsedSkillMd;
}

let parser: Parser | undefined;

/** Reads level 1 at once; `undefined` where that needs the YAML parser and it is not loaded. */
export function parseLevelOneNow(head: string | Uint8Array, options: ParseSkillMdOptions): LevelOne | undefined {
  // First without, also when it is loaded: that is faster.
  return parsePlainSkillFrontmatter(head, options) ?? parser?.parseSkillFrontmatter(head, options);
}

/** Reads level 1, and loads the YAML parser if it has to. */
export async function parseLevelOne(head: string | Uint8Array, options: ParseSkillMdOptions): Promise<LevelOne> {
  return parseLevelOneNow(head, options) ?? (await loadParser()).parseSkillFrontmatter(head, options);
}

/** Reads a whole `SKILL.md`, and loads the YAML parser if it has to. */
export async function parseWhole(bytes: Uint8Array, options: ParseSkillMdOptions): Promise<ParsedSkillMd> {
  return parsePlainSkillMd(bytes, options) ?? (await loadParser()).parseSkillMd(bytes, options);
}

/**
 * Loading it takes longer than listing hundreds of skills, of which at most some in a thousand need
 * it.
 */
async function loadParser(): Promise<Parser> {
  parser ??= await import('@repertoire/skills-core/skill-md');
  return parser;
}
