import { isTrusted, SkillError, type SkillMetadata } from '@repertoire/skills-core';
import type { SkillInUse } from '@repertoire/skills-core/internal';
import {
  compareResources,
  forEachBounded,
  isResourcePath,
  type SkillCallOptions,
  type SkillResource,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import type { OpenedView } from './cached-view.ts';
import { servedSkillMd } from './read-skill-md.ts';
import { markedBody, markedFile, viewedMetadata, type ViewedSkill } from './viewed-skill.ts';

const concurrency = 8;

/** One of the skills; `null` for any other, and for one that may not be loaded. */
export async function readViewedSkill(opened: OpenedView, name: string, options: SkillCallOptions): Promise<ViewedSkill | null> {
  const { session, provider, skills, kept, needsPerson } = opened;
  const { host, hooks, approvals } = session;
  const known = skills.get(name);
  if (known === undefined) return null;
  if ((await orNull('permission-denied', host.audience.assertAllowed('load', known))) === null) return null;
  const { content } = known;
  const key = typeof content === 'string' && hooks === undefined ? JSON.stringify([name, known.version, content]) : undefined;
  const before = key === undefined ? undefined : kept.get(key);
  if (before !== undefined) return (await orTold(needsPerson, name, async () => approvals?.read(known))) === null ? null : before;

  const fetched = (await useOf(opened, known, options))?.skill;
  if (fetched === undefined) return null;
  const { skill } = (await hooks?.load({ skill: fetched }, options.signal)) ?? { skill: fetched };
  const viewed: ViewedSkill = {
    metadata: viewedMetadata(skill),
    body: isTrusted(skill) ? skill.body : markedBody(skill),
    skillMd: await servedSkillMd(provider, fetched, skill, options),
    files: skill.resources
      .filter(({ path, kind }) => path !== 'SKILL.md' && isResourcePath(path) && (isTrusted(skill) || kind !== 'script'))
      .sort(compareResources),
  };
  if (key !== undefined && fetched.content === content) kept.set(key, viewed, viewed.skillMd.length + 200 * viewed.files.length);
  return viewed;
}

/** A bridge has no conversation, so what nobody approved before is not there. */
async function useOf({ session, needsPerson }: OpenedView, known: SkillMetadata, options: SkillCallOptions): Promise<SkillInUse | null> {
  return await orTold(needsPerson, known.name, async () => session.host.doors.toRead(known, options));
}

async function orTold<Answer>(tell: (skill: string) => void, skill: string, answer: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer();
  } catch (error) {
    if (!SkillError.isInstance(error) || error.code !== 'needs-approval') throw error;
    tell(skill);
    return null;
  }
}

/** All skills, without those that may not be loaded and those that changed while they were read. */
export async function readAllViewed(opened: OpenedView, options: SkillCallOptions): Promise<ViewedSkill[]> {
  const found: (ViewedSkill | null)[] = [];
  const readOne = async (name: string, index: number): Promise<void> => {
    found[index] = await orNull('skill-changed', readViewedSkill(opened, name, options));
  };
  await forEachBounded([...opened.skills.keys()], concurrency, readOne, options.signal);
  return found.flatMap((skill) => skill ?? []);
}

/** A file of a skill besides `SKILL.md`, whole; `null` if it may not be read. */
export async function readViewedFile(
  opened: OpenedView,
  name: string,
  asked: string,
  options: SkillCallOptions,
): Promise<SkillResource | null> {
  const { session, skills } = opened;
  const { host, hooks } = session;
  const known = skills.get(name);
  const use = known === undefined ? null : await useOf(opened, known, options);
  if (use === null) return null;
  const { skill } = use;
  const path = (await hooks?.path(skill, asked, options.signal)) ?? asked;
  if (!isResourcePath(path)) return null;
  if ((await orNull('permission-denied', host.audience.assertAllowed('read', skill, path))) === null) return null;
  const limits = { maxBytes: host.limits.maxResourceBytes, signal: options.signal };
  const pinned = await host.doors.readFile(use, path, limits);
  if (pinned === null) return null;
  if (pinned.size > pinned.bytes.length) throw tooLarge(name, path, pinned.size, limits.maxBytes);
  const file = (await hooks?.file(skill, pinned, options.signal)) ?? pinned;
  return isTrusted(skill) ? file : markedFile(skill, file);
}

/** All files of a skill, `SKILL.md` first. */
export async function readViewedFiles(
  opened: OpenedView,
  skill: ViewedSkill,
  options: SkillCallOptions,
): Promise<ReadonlyMap<string, SkillResource>> {
  const { files, metadata } = skill;
  const read: (SkillResource | null)[] = [skillMdOf(skill)];
  const readOne = async ({ path }: SkillResourceEntry, index: number): Promise<void> => {
    read[index + 1] = await readViewedFile(opened, metadata.name, path, options);
  };
  await forEachBounded(files, concurrency, readOne, options.signal);
  return new Map(read.flatMap((file, index) => (file === null ? [] : [[files[index - 1]?.path ?? 'SKILL.md', file]])));
}

export function skillMdOf({ skillMd }: ViewedSkill): SkillResource {
  return { path: 'SKILL.md', bytes: skillMd, size: skillMd.length, mediaType: 'text/markdown' };
}

/** The answer, or `null` for a failure of this kind. */
async function orNull<Answer>(code: SkillError['code'], answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (thrown) {
    if (SkillError.isInstance(thrown) && thrown.code === code) return null;
    throw thrown;
  }
}

function tooLarge(skill: string, path: string, size: number, most: number): SkillError {
  const message = `${JSON.stringify(path)} of skill ${JSON.stringify(skill)} has ${size} bytes, and at most ${most} are read. Raise \`limits.maxResourceBytes\` of the skillset if the file is meant to be so.`;
  return new SkillError('limit-exceeded', message, { skill, path });
}
