import { isTrusted, SkillError, type SkillMetadata, type SkillSession } from '@repertoire/skills-core';
import { adapterReporter, skillsetOf } from '@repertoire/skills-core/adapter';
import { identityOptions, openSkillset, readHeldFile, sessionEnvironment, SizedCache } from '@repertoire/skills-core/internal';
import {
  compareResources,
  forEachBounded,
  isResourcePath,
  readListing,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
} from '@repertoire/skills-core/provider';
import type { BridgeOptions, BridgeSource } from './bridge-options.ts';
import { servedSkillMd } from './read-skill-md.ts';
import { bridgeDiagnostics, isFolderName } from './report-limits.ts';
import { markedBody, markedFile, viewedMetadata, type ViewedSkill } from './viewed-skill.ts';

/**
 * A session of skills as files: what every bridge serves. All of it is selected, permitted for the
 * context, verified, and marked if it is untrusted. What may not be seen does not exist.
 *
 * Every method rejects with what the source rejects with if it cannot answer.
 */
export interface SkillView {
  /** Level 1 of the visible skills, and whether the source listed all. */
  list(options?: SkillCallOptions): Promise<{ readonly skills: readonly SkillMetadata[]; readonly complete: boolean }>;
  /** One of these skills; `null` for any other, and for one that may not be loaded. */
  get(name: string, options?: SkillCallOptions): Promise<ViewedSkill | null>;
  /** All skills, without those that may not be loaded or changed meanwhile. */
  getAll(options?: SkillCallOptions): Promise<readonly ViewedSkill[]>;
  /** A whole file, also `SKILL.md`; `null` for others and for forbidden ones. */
  read(name: string, path: string, options?: SkillCallOptions): Promise<SkillResource | null>;
  /** All files of a skill that was returned, `SKILL.md` first. */
  readAll(skill: ViewedSkill, options?: SkillCallOptions): Promise<ReadonlyMap<string, SkillResource>>;
  /** Tells the host something, once. */
  report: ReturnType<typeof adapterReporter>['report'];
  /** Tells the host, once, of a file that the framework cannot have. */
  leaveOut(skill: string, path: string, fix: string): void;
}

/** Skills kept by content, so that listing and reading build them once. */
const maxKeptBytes = 8 * 1024 * 1024;

/** The view of a skillset for one context, for a framework that takes skills in its own shape. */
export function skillView<Context>(
  taker: string,
  framework: string,
  source: BridgeSource<Context>,
  options: BridgeOptions<Context>,
): SkillView {
  const { availableTools, onDiagnostic } = options;
  const skillset = skillsetOf(taker, source);
  const { provider } = skillset;
  const { own, report } = adapterReporter(skillset, onDiagnostic);
  const kept = new SizedCache<ViewedSkill>(maxKeptBytes);
  let opened: { readonly listing: SkillListing; readonly session: Promise<SkillSession> } | undefined;
  const served = new WeakMap<SkillSession, ReadonlyMap<string, SkillMetadata>>();

  /** The skills of a session that can be folders, by name. */
  function servedBy(session: SkillSession): ReadonlyMap<string, SkillMetadata> {
    const before = served.get(session);
    if (before !== undefined) return before;
    const skills = new Map<string, SkillMetadata>();
    for (const skill of session.catalog.skills) if (isFolderName(skill) && !skills.has(skill.name)) skills.set(skill.name, skill);
    served.set(session, skills);
    return skills;
  }

  async function open({ signal }: SkillCallOptions): Promise<SkillSession> {
    const context = 'context' in options && { context: options.context };
    const session = await openSkillset(skillset, { ...context, availableTools, onDiagnostic: own, signal });
    for (const diagnostic of bridgeDiagnostics({ framework, provider, session, availableTools: availableTools ?? [] })) report(diagnostic);
    return session;
  }

  /** A session is opened anew for each list, and when the listing changed. */
  async function current(options: SkillCallOptions): Promise<SkillSession> {
    const listing = await readListing(provider, options);
    if (opened?.listing !== listing) {
      const next = { listing, session: open({}) };
      opened = next;
      next.session.catch(() => {
        if (opened === next) opened = undefined;
      });
    }
    return opened.session;
  }

  async function getFrom(session: SkillSession, name: string, options: SkillCallOptions): Promise<ViewedSkill | null> {
    const known = servedBy(session).get(name);
    if (known === undefined) return null;
    const environment = sessionEnvironment(session);
    if (!(await isPermitted(environment.assertAllowed('load', known)))) return null;
    const { content } = known;
    const key = typeof content === 'string' && environment.hooks === undefined ? JSON.stringify([name, known.version, content]) : undefined;
    const before = key === undefined ? undefined : kept.get(key);
    if (before !== undefined) return before;

    const fetched = await provider.getSkill(name, { ...identityOptions(known), ...options });
    if (fetched === null || !environment.isSelected(fetched)) return null;
    const { skill } = (await environment.hooks?.load({ skill: fetched }, options.signal)) ?? { skill: fetched };
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

  async function readFile(session: SkillSession, name: string, asked: string, options: SkillCallOptions): Promise<SkillResource | null> {
    const environment = sessionEnvironment(session);
    const known = servedBy(session).get(name);
    const skill = known === undefined ? null : await provider.getSkill(name, { ...identityOptions(known), ...options });
    if (skill === null) return null;
    const path = (await environment.hooks?.path(skill, asked, options.signal)) ?? asked;
    if (!isResourcePath(path) || !(await isPermitted(environment.assertAllowed('read', skill, path)))) return null;
    const limits = { maxBytes: environment.limits.maxResourceBytes, signal: options.signal };
    const held = await readHeldFile(environment, { skill, loaded: undefined }, path, limits);
    if (held === null) return null;
    if (held.size > held.bytes.length) throw tooLarge(name, path, held.size, limits.maxBytes);
    const file = (await environment.hooks?.file(skill, held, options.signal)) ?? held;
    return isTrusted(skill) ? file : markedFile(skill, file);
  }

  return {
    report,
    leaveOut: (skill, path, fix) =>
      report({
        code: 'bridge-file-left-out',
        severity: 'warning',
        message: `${framework} cannot have ${JSON.stringify(path)} in skills of this kind, so it is left out.`,
        skill,
        path,
        fix,
      }),
    async list(options = {}) {
      const session = await open(options);
      return {
        skills: [...servedBy(session).values()].map(viewedMetadata),
        complete: sessionEnvironment(session).present.isComplete,
      };
    },
    get: async (name, options = {}) => await getFrom(await current(options), name, options),
    async getAll(options = {}) {
      const session = await open(options);
      const found: (ViewedSkill | null)[] = [];
      const names = [...servedBy(session).keys()];
      await forEachBounded(
        names,
        8,
        async (name, index) => {
          found[index] = await orNull('skill-changed', getFrom(session, name, options));
        },
        options.signal,
      );
      return found.flatMap((skill) => skill ?? []);
    },
    async read(name, path, options = {}) {
      const session = await current(options);
      const viewed = await getFrom(session, name, options);
      if (viewed === null) return null;
      if (path === 'SKILL.md') return skillMdOf(viewed);
      return viewed.files.some((entry) => entry.path === path) ? await readFile(session, name, path, options) : null;
    },
    async readAll(skill, options = {}) {
      const { files, metadata } = skill;
      if (files.length === 0) return new Map([['SKILL.md', skillMdOf(skill)]]);
      const session = await current(options);
      const read = new Map<string, SkillResource>([
        ['SKILL.md', skillMdOf(skill)],
        ...files.map(({ path, mediaType }) => [path, { path, bytes: new Uint8Array(), size: 0, mediaType }] as const),
      ]);
      await forEachBounded(
        files,
        8,
        async ({ path }) => {
          const file = await readFile(session, metadata.name, path, options);
          if (file === null) read.delete(path);
          else read.set(path, file);
        },
        options.signal,
      );
      return read;
    },
  };
}

function skillMdOf({ skillMd }: ViewedSkill): SkillResource {
  return { path: 'SKILL.md', bytes: skillMd, size: skillMd.length, mediaType: 'text/markdown' };
}

async function isPermitted(asked: Promise<void>): Promise<boolean> {
  return (
    (await orNull(
      'permission-denied',
      asked.then(() => true),
    )) ?? false
  );
}

async function orNull<Answer>(code: SkillError['code'], answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (thrown) {
    if (SkillError.isInstance(thrown) && thrown.code === code) return null;
    throw thrown;
  }
}

function tooLarge(skill: string, path: string, size: number, most: number): SkillError {
  return new SkillError(
    'limit-exceeded',
    `${JSON.stringify(path)} of skill ${JSON.stringify(skill)} has ${size} bytes, and at most ${most} are read. Raise \`limits.maxResourceBytes\` of the skillset if the file is meant to be so.`,
    { skill, path },
  );
}
