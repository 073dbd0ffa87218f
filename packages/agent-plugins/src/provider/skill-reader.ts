import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze, parsePlainSkillFrontmatter, parsePlainSkillMd } from '@repertoire/skills-core/internal';
import { scanFrontmatter } from '@repertoire/skills-core/provider';
import type { PluginCallOptions, PluginFiles } from '../files/plugin-files.ts';
import type { PluginSkillPlace } from '../read/read-plugin.ts';
import { deviation } from '../read/plugin-rules.ts';

/** Level 1 of a skill, or why it is skipped. */
export interface LevelOne {
  readonly metadata: SkillMetadata | null;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** Level 2, without the list of files. */
export interface LevelTwo extends LevelOne {
  readonly body: string;
  readonly bytes: Uint8Array;
}

const headBytes = 16_384;
const maxSkillBytes = 2_097_152;

/**
 * Diagnostics that make a skill non-conforming. Other sources repair these problems, but section
 * 7.1 of Agent Plugins skips the skill. Unknown fields are not among them, because clients can
 * ignore a field.
 */
const nonConforming: ReadonlySet<string> = new Set([
  'frontmatter-bare',
  'frontmatter-blank-lines',
  'frontmatter-end-guessed',
  'yaml-repaired',
  'yaml-text-ignored',
  'merge-conflict',
  'duplicate-key',
  'name-missing',
  'name-not-text',
  'name-too-long',
  'name-not-lowercase',
  'name-edge-hyphen',
  'name-double-hyphen',
  'name-invalid-characters',
  'name-directory-mismatch',
  'description-too-long',
  'compatibility-too-long',
]);

/** Reads level 1: the start of the file, up to the end of its frontmatter. */
export async function readLevelOne(files: PluginFiles, place: PluginSkillPlace, options: PluginCallOptions): Promise<LevelOne> {
  const path = `${place.path}/SKILL.md`;
  const file = await files.read(path, { ...options, maxBytes: headBytes });
  if (file === null || file === 'outside') return { metadata: null, diagnostics: [] };
  const scan = scanFrontmatter(file.bytes, { partial: file.bytes.length < file.size });
  const head = scan.status === 'complete' ? file.bytes.subarray(0, scan.end) : file.bytes;
  const parse = { directoryName: place.directoryName, path, maxFrontmatterBytes: headBytes };
  const parsed =
    parsePlainSkillFrontmatter(head, parse) ?? (await import('@repertoire/skills-core/skill-md')).parseSkillFrontmatter(head, parse);
  return deepFreeze(conforming(parsed, place, path));
}

/** Reads a whole SKILL.md; `null` if it is gone, too large or no longer conforms. */
export async function readLevelTwo(files: PluginFiles, place: PluginSkillPlace, options: PluginCallOptions): Promise<LevelTwo | null> {
  const path = `${place.path}/SKILL.md`;
  const file = await files.read(path, { ...options, maxBytes: maxSkillBytes + 1 });
  if (file === null || file === 'outside' || file.size > maxSkillBytes) return null;
  const parse = { directoryName: place.directoryName, path };
  const parsed = parsePlainSkillMd(file.bytes, parse) ?? (await import('@repertoire/skills-core/skill-md')).parseSkillMd(file.bytes, parse);
  const { metadata, diagnostics } = conforming(parsed, place, path);
  return metadata === null ? null : { metadata, diagnostics, body: parsed.body, bytes: file.bytes };
}

function conforming({ metadata, diagnostics }: LevelOne, { directoryName }: PluginSkillPlace, path: string): LevelOne {
  const broken = diagnostics.find(({ code, severity }) => severity === 'error' || nonConforming.has(code));
  if (broken === undefined) return { metadata, diagnostics };
  const message = `Skill ${JSON.stringify(directoryName)} is skipped, since it does not conform to Agent Skills: ${broken.message}`;
  const about = { skill: directoryName, path, fix: broken.fix ?? 'Correct its SKILL.md.' };
  return { metadata: null, diagnostics: [deviation('plugin-skill-invalid', 'error', message, about)] };
}
