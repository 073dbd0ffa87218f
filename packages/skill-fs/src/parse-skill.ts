import { parsePlainSkillMd } from '@repertoire/skills-core/provider';
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

/** Loading it takes longer than listing hundreds of skills, and few need it. */
async function loadParser(): Promise<Parser> {
  parser ??= await import('@repertoire/skills-core/skill-md');
  return parser;
}
