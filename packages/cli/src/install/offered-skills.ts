import { memoryProposalStore } from '@repertoire/skill-proposals';
import { checkChange, type NewlyAllowed, type ProposalFinding } from '@repertoire/skill-proposals/check';
import { SkillError, type SkillMetadata } from '@repertoire/skills-core';
import { compareText } from '@repertoire/skills-core/internal';
import { readListing, readSkillFiles } from '@repertoire/skills-core/provider';
import type { CommandIo, CommandReport } from '../commands/command.ts';
import { openSource } from '../source/open-source.ts';
import { changeText, quoted } from '../proposals/change-text.ts';
import { findingLine } from '../proposals/proposal-text.ts';
import { columns } from '../text/columns.ts';
import { count } from '../text/count.ts';
import { oneLine } from '../text/one-line.ts';
import { openGitHub, parseGitHubWord } from './github-source.ts';
import { assertWritable, type FilesByPath, type InstalledSkill } from './installed-skills.ts';

/** More skills than this are told in a row each. */
const mostOffers = 10;

/** A skill that a source has, read whole, with what it asks for. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
  readonly entry: InstalledSkill;
  readonly files: FilesByPath;
  readonly allows: readonly NewlyAllowed[];
  readonly findings: readonly ProposalFinding[];
}

/** Which skills of a source are wanted. */
export interface Wanted {
  /** @default the only one, or an error that lists all */
  readonly names: readonly string[] | undefined;
  readonly all?: boolean | undefined;
  /** Whether a skill needs no second look, since it is there with this content. @default none is */
  readonly isThere?: ((name: string, content: string) => boolean) | undefined;
  /** Is told of names that the source does not have. @default the first one is thrown */
  readonly gone?: ((error: SkillError) => void) | undefined;
}

/**
 * Splits a version off the end of a source: `https://skills.example@1.2.0`. Of a repository, what
 * stands behind `@` is a ref and stays.
 */
function splitVersion(word: string, cwd: string): { readonly source: string; readonly version: string | undefined } {
  const found = parseGitHubWord(word, cwd) === null ? /^(.+)@(v?\d[\w.+-]{0,60})$/.exec(word) : null;
  return { source: found?.[1] ?? word, version: found?.[2] };
}

/**
 * Opens a source and reads the wanted skills whole: their bytes, what they ask for, and what a
 * reviewer should look at. Nothing is written.
 *
 * @param before files that are installed now, by name: then only what would be new is told
 * @throws {SkillError} `skill-not-found`, `invalid-options` where nobody said which skills,
 *   `invalid-skill` for what cannot be written
 */
export async function offeredSkills(
  word: string,
  wanted: Wanted,
  io: Pick<CommandIo, 'cwd' | 'env' | 'signal'>,
  report: Pick<CommandReport, 'progress' | 'diagnostic'>,
  before: (name: string) => Promise<FilesByPath> = async () => ({}),
): Promise<readonly OfferedSkill[]> {
  const { signal } = io;
  const { source, version } = splitVersion(word, io.cwd);
  const repository = parseGitHubWord(source, io.cwd);
  if (repository !== null) report.progress(`Asking GitHub for ${repository.owner}/${repository.repository}…`);
  const fetched = repository === null ? null : await openGitHub(repository, io);
  await using opened = fetched === null ? await openSource([source], io, report) : null;
  const provider = fetched?.provider ?? opened?.provider;
  if (provider === undefined) return [];
  const { skills, diagnostics } = await readListing(provider, { signal });
  for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') report.diagnostic(diagnostic);
  const offered: OfferedSkill[] = [];
  const folded = new Map<string, string>();
  for (const skill of chosen(skills, wanted, source, version)) {
    report.progress(`Reading ${skill.name}…`);
    const found = await provider.getSkill(skill.name, { version: skill.version, signal });
    if (found === null)
      throw new SkillError('skill-not-found', `${skill.name} is listed and cannot be read. Try again.`, { skill: skill.name });
    const { files, digest } = await readSkillFiles(provider, found, { signal });
    if (wanted.isThere?.(skill.name, digest) === true) continue;
    const twin = folded.get(skill.name.toLowerCase());
    if (twin !== undefined)
      throw new SkillError('invalid-skill', `${twin} and ${skill.name} are one folder on some systems. Name one of them.`, { skill: twin });
    folded.set(skill.name.toLowerCase(), skill.name);
    assertWritable(skill.name, files);
    const { allows, findings } = await checkChange(memoryProposalStore(), {
      skill: skill.name,
      before: await before(skill.name),
      after: files,
    });
    const entry = { source: word, ...(fetched !== null && { commit: fetched.commit }), version: skill.version, content: digest };
    offered.push({ name: skill.name, description: skill.description, entry, files, allows, findings });
  }
  return offered;
}

function chosen(
  skills: readonly SkillMetadata[],
  { names, all = false, gone }: Wanted,
  source: string,
  version: string | undefined,
): readonly SkillMetadata[] {
  const fitting =
    version === undefined ? skills : skills.filter((skill) => skill.version === version || `v${skill.version ?? ''}` === version);
  // Newest first in a listing, so the first of a name is the one to have.
  const byName = new Map<string, SkillMetadata>();
  for (const skill of fitting) if (!byName.has(skill.name)) byName.set(skill.name, skill);
  const there = [...byName.keys()].sort(compareText);
  const list = `${there.slice(0, 20).join(', ')}${there.length > 20 ? ` and ${there.length - 20} more` : ''}`;
  if (there.length === 0)
    throw new SkillError('skill-not-found', `There is no skill in ${source}${version === undefined ? '' : ` of version ${version}`}.`);
  if (names === undefined && !all && there.length > 1)
    throw new SkillError(
      'invalid-options',
      `${source} has ${count(there.length, 'skill')}: ${list}. Name them behind the source, or give --all.`,
    );
  for (const name of (names ?? []).filter((each) => !byName.has(each))) {
    const error = new SkillError('skill-not-found', `${source} has no skill ${JSON.stringify(name)}. It has ${list}.`, { skill: name });
    if (gone === undefined) throw error;
    gone(error);
  }
  return (names ?? there).flatMap((name) => byName.get(name) ?? []);
}

/** What a person should know before a skill is written. */
export function offerText({ name, description, entry, files, allows, findings }: OfferedSkill): string {
  const bytes = Object.values(files).reduce((sum, file) => sum + file.length, 0);
  const lines = [
    `${name}${entry.version === null ? '' : `@${entry.version}`}  ${oneLine(description, 200)}`,
    `  from ${entry.source}${entry.commit === undefined ? '' : ` at ${entry.commit.slice(0, 12)}`}: ${count(Object.keys(files).length, 'file')}, ${bytes} bytes`,
    ...(allows.length === 0
      ? ['  It asks for nothing.']
      : ['  It asks for:', ...allows.map(({ kind, what }) => `    ${kind}: ${oneLine(what, 200)}`)]),
    ...findings.map((finding) => `  ${findingLine(finding)}`),
  ];
  return quoted(lines.join('\n'));
}

/** What a person should know of all of them; of many, a row each, so that what matters is seen. */
export function offersText(offered: readonly OfferedSkill[], isWhole: boolean): string {
  if (isWhole || offered.length <= mostOffers) return offered.map(offerText).join('\n');
  const rows = offered.map(({ name, files, allows, findings }) => [
    name,
    count(Object.keys(files).length, 'file'),
    allows.length === 0 ? '' : `asks for ${count(allows.length, 'thing')}`,
    [...new Set(findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code))].join(', '),
  ]);
  return `${columns(rows)}\n--verbose tells what each asks for, and --show prints every text.`;
}

/** Every text of a skill whole, and every other file as what it is. */
export async function wholeText({ name, files }: OfferedSkill): Promise<string> {
  return await changeText({}, Object.fromEntries(Object.entries(files).map(([file, bytes]) => [`${name}/${file}`, bytes])));
}

/** Whether a person has to read a skill before it is written without one who is asked. */
export function isRisky({ findings }: OfferedSkill): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
