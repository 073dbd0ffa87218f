import type { Skill, SkillDiagnostic } from '@repertoire/skills-core';
import { deepFreeze } from '@repertoire/skills-core/internal';
import { resourceEntry, decodeText } from '@repertoire/skills-core/provider';
import { parseSkillMd } from '@repertoire/skills-core/skill-md';
import type { SkillFinder } from './find-skill.ts';
import { frontmatterDifference } from './frontmatter-difference.ts';
import type { IndexedSkill } from './indexed-skill.ts';
import { readArtifact } from './list-by-resources.ts';
import { listDirectory } from './list-directory.ts';
import type { McpSession, McpSessions } from './mcp-sessions.ts';
import type { McpSkillSettings } from './mcp-skill-provider-options.ts';
import { show } from './read-entry.ts';
import { mismatch, readVerified, type VerifiedFile } from './read-verified.ts';

/** What loading needs of its provider. */
export interface SkillLoading {
  readonly settings: McpSkillSettings;
  readonly sessions: McpSessions;
  readonly finder: SkillFinder;
}

/** Of UTF-8. */
const maxBytesOfCharacter = 4;

/** Level 2 of a skill, checked against its entry, and the content that it is pinned as. */
export async function loadSkill(
  indexed: IndexedSkill,
  at: McpSession,
  { settings, sessions, finder }: SkillLoading,
  signal: AbortSignal | undefined,
): Promise<{ readonly skill: Skill; readonly content: string | null }> {
  let skill = indexed;
  let content: string | Uint8Array;
  if (skill.frontmatter === null) {
    const whole = await readArtifact(at.call, skill, settings, signal);
    if (whole.skill === null) throw mismatch(skill, 'SKILL.md', settings, whole.diagnostics.map(({ message }) => message).join(' '));
    // It keeps the name by which it was found. The rest of level 1 comes from the file.
    skill = { ...whole.skill, metadata: { ...whole.skill.metadata, name: indexed.metadata.name } };
    content = whole.text;
  } else {
    const main = (await readVerified(at.call, skill, 'SKILL.md', settings, signal)) as VerifiedFile;
    const text = decodeText(main.bytes);
    const difference = text === null ? 'it is no text' : frontmatterDifference(skill.frontmatter, text, settings);
    if (difference !== undefined) throw mismatch(skill, 'SKILL.md', settings, difference);
    content = main.bytes;
  }
  const { location } = skill;
  const maxFrontmatterBytes = settings.limits.frontmatterCharacters * maxBytesOfCharacter;
  const { body, diagnostics } = parseSkillMd(content, {
    directoryName: location.folder,
    path: location.uri,
    maxBytes: settings.limits.skillBytes * maxBytesOfCharacter,
    maxFrontmatterBytes,
  });
  const files = await resourcesOf(skill, at, settings, sessions);
  const told = [...diagnostics, ...skill.diagnostics.filter(({ code }) => code === 'skill-unverified'), ...files.diagnostics];
  const whole = (await finder.contentOf(skill)) ?? null;
  await finder.hold(skill);
  return { skill: deepFreeze({ ...skill.metadata, content: whole, body, resources: files.entries, diagnostics: told }), content: whole };
}

async function resourcesOf(
  skill: IndexedSkill,
  at: McpSession,
  settings: McpSkillSettings,
  sessions: McpSessions,
): Promise<{ readonly entries: Skill['resources']; readonly diagnostics: readonly SkillDiagnostic[] }> {
  const canWalk = skill.files === null && skill.frontmatter !== null && sessions.extensionOf(at)?.['directoryRead'] === true;
  const open = canWalk ? await listDirectory(at.call, skill, settings) : { files: skill.unverified, complete: true };
  const entries =
    skill.files === null
      ? [...open.files].map(([path, { size, description }]) =>
          resourceEntry(path, { ...(size !== undefined && { size }), ...(description !== undefined && { description }) }),
        )
      : [...skill.files].map(([path, { size, digest }]) => {
          const description = skill.unverified.get(path)?.description;
          const known = { size, digest: digest.slice('sha256:'.length) };
          return resourceEntry(path, description === undefined ? known : { ...known, description });
        });
  return {
    entries: entries.filter(({ path }) => path !== 'SKILL.md'),
    diagnostics: open.complete ? [] : [filesTruncated(skill, settings)],
  };
}

function filesTruncated(
  { metadata, location }: IndexedSkill,
  { limits }: { readonly limits: { readonly files: number } },
): SkillDiagnostic {
  return {
    code: 'resources-truncated',
    severity: 'error',
    message: `Skill ${show(metadata.name)} has more than ${limits.files} files or folders, or a folder that could not be listed; the list leaves the rest out.`,
    skill: metadata.name,
    path: location.uri,
    fix: 'Raise limits.files, or ask the server to list the files of the skill in its entry.',
  };
}
