import fs, { type Stats } from 'node:fs';
import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { parsePlainSkillFrontmatter, type SkillFieldValue } from '@repertoire/skills-core/internal';
import type { SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { openInRoot } from './inside.ts';
import { readAtOnce } from './open-regular-file.ts';
import { parseLevelOne, type LevelOne } from './parse-skill.ts';
import { directoryNameOf, type RecordWork } from './skill-file-record.ts';

/** The folder of the settings, in that of the skill, and their file. */
export const settingsFolder = 'agents';
export const settingsFileName = 'openai.yaml';

/** What some clients read beside `SKILL.md`. Other fields are theirs alone. */
const keptFields = ['interface', 'dependencies', 'policy'] as const;

/** What makes it uncertain what the settings say. */
const uncertain: ReadonlySet<SkillMdDiagnostic['code']> = new Set([
  'file-too-large',
  'encoding-invalid',
  'encoding-nul',
  'frontmatter-unclosed',
  'frontmatter-end-guessed',
  'frontmatter-too-large',
  'frontmatter-too-complex',
  'frontmatter-not-mapping',
  'yaml-invalid',
  'yaml-limit',
  'yaml-repaired',
  'yaml-text-ignored',
  'yaml-unresolved-alias',
  'merge-conflict',
  'duplicate-key',
]);

const decoder = new TextDecoder();

/** Level 1 of a skill, and what is wrong with its settings. */
export interface WithSettings {
  readonly metadata: SkillMetadata;
  readonly diagnostics: readonly SkillDiagnostic[];
  /** What the file looked like; `null` where it is not there, or leads out of the root. */
  readonly stats: Stats | null;
}

/**
 * Level 1 with what `agents/openai.yaml` says: `policy.allow_implicit_invocation: false` closes the
 * skill to models, and `interface`, `dependencies` and `policy` are the field `openai`. The file is
 * read like a frontmatter, with its limits. It grants nothing.
 */
export function withOpenAiSettings(
  metadata: SkillMetadata,
  { file, root }: RecordWork,
  settings: FileSystemSettings,
): WithSettings | Promise<WithSettings> {
  const path = file.settings;
  if (path === null) return { metadata, diagnostics: [], stats: null };
  const limit = settings.limits.frontmatterBytes;
  let text: string;
  let stats: Stats;
  try {
    const opened = openInRoot(path, `${file.realFolder}/${settingsFolder}/${settingsFileName}`, root.realPath, settings);
    if (opened === null) return { metadata, diagnostics: [], stats: null };
    try {
      ({ stats } = opened);
      if (stats.size > limit) return unusable(closed(metadata), path, `it has ${stats.size} bytes, and ${limit} is the limit`, stats);
      text = decoder.decode(readAtOnce(opened));
    } finally {
      fs.closeSync(opened.descriptor);
    }
  } catch (error) {
    return unusable(closed(metadata), path, (error as NodeJS.ErrnoException).code ?? String(error), null);
  }
  const yaml = text.replace(/^\uFEFF?(?:---[ \t]*\r?\n)?/, '');
  // A name and a description, which these settings have not, make a frontmatter of them.
  const frame = `---\nname: ${JSON.stringify(metadata.name)}\ndescription: Settings\n${yaml}\n---\n`;
  const options = { profile: 'lenient', directoryName: directoryNameOf(file), maxFrontmatterBytes: limit + 4_096 } as const;
  const plain = parsePlainSkillFrontmatter(frame, options);
  const read = { metadata, path, text, yaml, stats };
  return plain === null ? parseLevelOne(frame, options).then((parsed) => applied(parsed, read)) : applied(plain, read);
}

interface ReadSettings {
  readonly metadata: SkillMetadata;
  readonly path: string;
  readonly text: string;
  readonly yaml: string;
  readonly stats: Stats;
}

function applied({ metadata: parsed, diagnostics }: LevelOne, { metadata, path, text, yaml, stats }: ReadSettings): WithSettings {
  const frontmatter = parsed?.fields ?? {};
  const several = /^---[ \t]*$/m.test(yaml) ? 'it has several documents' : undefined;
  const wrong = several ?? diagnostics.find(({ code }) => uncertain.has(code))?.message;
  const kept = keptFields.flatMap((key) => (frontmatter[key] === undefined ? [] : [[key, frontmatter[key]] as const]));
  const openai: SkillFieldValue = Object.fromEntries(kept);
  const read = { ...metadata, ...(kept.length > 0 && { fields: { ...metadata.fields, openai } }) };
  if (wrong === undefined) return { metadata: isClosed(frontmatter['policy']) ? closed(read) : read, diagnostics: [], stats };
  // What cannot be read for certain may say that the skill is closed.
  return unusable(text.includes('allow_implicit_invocation') ? closed(read) : read, path, wrong, stats);
}

function isClosed(policy: SkillFieldValue | undefined): boolean {
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return false;
  const allowed: unknown = (policy as Readonly<Record<string, unknown>>)['allow_implicit_invocation'];
  return typeof allowed === 'string' && /^false$/i.test(allowed);
}

function closed(metadata: SkillMetadata): SkillMetadata {
  return { ...metadata, disableModelInvocation: true };
}

function unusable(metadata: SkillMetadata, path: string, why: string, stats: Stats | null): WithSettings {
  const diagnostic: SkillDiagnostic = {
    code: 'openai-settings-unusable',
    severity: 'warning',
    skill: metadata.name,
    path,
    message: `The settings ${JSON.stringify(path)} of skill ${JSON.stringify(metadata.name)} are not read as written: ${why.replace(/\.$/, '')}. Where they may say so, models cannot start the skill.`,
    fix: 'Correct the file, or remove it.',
  };
  return { metadata, diagnostics: [diagnostic], stats };
}
