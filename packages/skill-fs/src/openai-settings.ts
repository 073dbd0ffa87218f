import { SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { deepFreeze, type SkillFieldValue } from '@repertoire/skills-core/internal';
import type { SkillMdDiagnostic } from '@repertoire/skills-core/skill-md';
import type { DiskReader } from './disk-steps.ts';
import type { FileSystemSettings } from './file-system-skill-provider-options.ts';
import { parseLevelOne } from './parse-skill.ts';
import { readInRoot } from './read-in-root.ts';
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

/** Level 1 of a skill, and what is wrong with its settings. */
export interface WithSettings {
  readonly metadata: SkillMetadata;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * Level 1 with what `agents/openai.yaml` says: `policy.allow_implicit_invocation: false` closes the
 * skill to models, and `interface`, `dependencies` and `policy` are the field `openai`. The file is
 * read like a frontmatter, with its limits. It grants nothing.
 */
export async function withOpenAiSettings(
  metadata: SkillMetadata,
  { file, root }: RecordWork,
  settings: FileSystemSettings,
  reader: DiskReader,
): Promise<WithSettings> {
  const path = file.settings;
  if (path === null) return { metadata, diagnostics: [] };
  const limit = settings.limits.frontmatterBytes;
  let text: string;
  try {
    const bytes = await reader.run(readInRoot(path, root.realPath, settings, limit));
    if (bytes === null) return { metadata, diagnostics: [] };
    text = new TextDecoder().decode(bytes);
  } catch (error) {
    const why = SkillError.isInstance(error) ? error.message : ((error as NodeJS.ErrnoException).code ?? String(error));
    return { metadata: closed(metadata), diagnostics: [unusable(metadata, path, why)] };
  }
  const yaml = text.replace(/^\uFEFF?(?:---[ \t]*\r?\n)?/, '');
  // A name and a description, which these settings have not, make a frontmatter of them.
  const frame = `---\nname: ${JSON.stringify(metadata.name)}\ndescription: Settings\n${yaml}\n---\n`;
  const { metadata: parsed, diagnostics } = await parseLevelOne(frame, {
    profile: 'lenient',
    directoryName: directoryNameOf(file),
    maxFrontmatterBytes: limit + 4_096,
  });
  const frontmatter = parsed?.fields ?? {};
  const several = /^---[ \t]*$/m.test(yaml) ? 'it has several documents' : undefined;
  const wrong = several ?? diagnostics.find(({ code }) => uncertain.has(code))?.message;
  const kept = keptFields.flatMap((key) => (frontmatter[key] === undefined ? [] : [[key, frontmatter[key]] as const]));
  const openai: SkillFieldValue = Object.fromEntries(kept);
  const read = { ...metadata, ...(kept.length > 0 && { fields: { ...metadata.fields, openai } }) };
  if (wrong === undefined) return { metadata: isClosed(frontmatter['policy']) ? closed(read) : read, diagnostics: [] };
  // What cannot be read for certain may say that the skill is closed.
  const may = text.includes('allow_implicit_invocation');
  return { metadata: may ? closed(read) : read, diagnostics: [unusable(metadata, path, wrong)] };
}

function isClosed(policy: SkillFieldValue | undefined): boolean {
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) return false;
  const allowed: unknown = (policy as Readonly<Record<string, unknown>>)['allow_implicit_invocation'];
  return typeof allowed === 'string' && /^false$/i.test(allowed);
}

function closed(metadata: SkillMetadata): SkillMetadata {
  return { ...metadata, disableModelInvocation: true };
}

function unusable({ name }: SkillMetadata, path: string, why: string): SkillDiagnostic {
  return deepFreeze({
    code: 'openai-settings-unusable',
    severity: 'warning',
    skill: name,
    path,
    message: `The settings ${JSON.stringify(path)} of skill ${JSON.stringify(name)} are not read as written: ${why.replace(/\.$/, '')}. Where they may say so, models cannot start the skill.`,
    fix: 'Correct the file, or remove it.',
  });
}
