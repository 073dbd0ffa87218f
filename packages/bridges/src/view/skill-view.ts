import { isTrusted, SkillError, type SkillDiagnostic, type SkillMetadata } from '@repertoire/skills-core';
import { adapterReporter, skillsetOf } from '@repertoire/skills-core/adapter';
import {
  assertKnownOptions,
  identityOptions,
  openSkillset,
  readHeldFile,
  sessionEnvironment,
  SizedCache,
  type OptionRules,
  type ToolEnvironment,
} from '@repertoire/skills-core/internal';
import {
  abortable,
  compareResources,
  forEachBounded,
  isResourcePath,
  readListing,
  type SkillCallOptions,
  type SkillListing,
  type SkillResource,
  type SkillResourceEntry,
} from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeOptions, type BridgeSource } from './bridge-options.ts';
import { servedSkillMd } from './read-skill-md.ts';
import { isFolderName, reportLimits } from './report-limits.ts';
import { markedBody, markedFile, viewedMetadata, type ViewedSkill } from './viewed-skill.ts';

/**
 * A session of skills as files: what every bridge serves. All of it is selected, permitted for the
 * context, verified, and marked if it is untrusted. What may not be seen does not exist.
 *
 * Every method rejects with what the source rejects with if it cannot answer.
 */
export interface SkillView {
  /**
   * Level 1 of the skills that a model would see, and whether the source listed all that it has.
   */
  list(options?: SkillCallOptions): Promise<{ readonly skills: readonly SkillMetadata[]; readonly complete: boolean }>;
  /** One of these skills; `null` for any other, and for one that may not be loaded. */
  get(name: string, options?: SkillCallOptions): Promise<ViewedSkill | null>;
  /**
   * All skills, without those that may not be loaded and those that changed while they were read.
   */
  getAll(options?: SkillCallOptions): Promise<readonly ViewedSkill[]>;
  /**
   * A file of one of these skills, `SKILL.md` too, whole; `null` for any other, and for one that
   * may not be read.
   */
  read(name: string, path: string, options?: SkillCallOptions): Promise<SkillResource | null>;
  /** All files of a skill that was returned, `SKILL.md` first. */
  readAll(skill: ViewedSkill, options?: SkillCallOptions): Promise<ReadonlyMap<string, SkillResource>>;
  /** Tells the host something, once. */
  warn(code: string, message: string, about: Pick<SkillDiagnostic, 'skill' | 'path' | 'fix'>): void;
  /** Tells the host, once, of a file that the framework cannot have. */
  leaveOut(skill: string, path: string, fix: string): void;
}

/**
 * The most bytes of skills that are kept so that listing, asking and reading need not build them
 * three times. They are kept by their content.
 */
const maxKeptBytes = 8 * 1024 * 1024;
const concurrency = 8;

/** What a session has for a bridge. */
interface Opened {
  readonly environment: ToolEnvironment;
  /** The skills that can be folders, by name. */
  readonly skills: ReadonlyMap<string, SkillMetadata>;
  readonly listed: Awaited<ReturnType<SkillView['list']>>;
}

/**
 * The view of a skillset for one context, for a framework that takes skills in its own shape.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist
 */
export function skillView<Context>(
  taker: string,
  framework: string,
  source: BridgeSource<Context>,
  options: BridgeOptions<Context>,
  rules: OptionRules<BridgeOptions> = bridgeOptions,
): SkillView {
  assertKnownOptions(taker, options, rules);
  const { availableTools, onDiagnostic } = options;
  const skillset = skillsetOf(taker, source);
  const { provider } = skillset;
  const { own, report } = adapterReporter(skillset, onDiagnostic);
  const warn: SkillView['warn'] = (code, message, about) => report({ code, severity: 'warning', message, ...about });
  const kept = new SizedCache<ViewedSkill>(maxKeptBytes);
  let latest: { readonly listing: SkillListing; readonly opened: Promise<Opened> } | undefined;

  async function open(): Promise<Opened> {
    const context = 'context' in options && { context: options.context };
    const session = await openSkillset(skillset, { ...context, availableTools, onDiagnostic: own });
    reportLimits({ framework, provider, session, availableTools: availableTools ?? [], warn });
    const environment = sessionEnvironment(session);
    const skills = new Map<string, SkillMetadata>();
    for (const skill of session.catalog.skills) if (isFolderName(skill) && !skills.has(skill.name)) skills.set(skill.name, skill);
    const listed = { skills: [...skills.values()].map(viewedMetadata), complete: environment.present.isComplete };
    return { environment, skills, listed };
  }

  /**
   * A session is held while the listing is the same. Whoever lists asks the host again, if that
   * decides who sees what; permissions are asked at each load anyway.
   */
  async function current({ signal }: SkillCallOptions, isList: boolean = false): Promise<Opened> {
    const listing = await readListing(provider, { signal });
    const before = latest?.listing === listing ? await latest.opened : undefined;
    if (before !== undefined && !(isList && before.environment.asksHost)) return before;
    const next = { listing, opened: open() };
    latest = next;
    next.opened.catch(() => {
      if (latest === next) latest = undefined;
    });
    return await abortable(() => next.opened, signal);
  }

  async function getFrom({ skills, environment }: Opened, name: string, options: SkillCallOptions): Promise<ViewedSkill | null> {
    const known = skills.get(name);
    if (known === undefined) return null;
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

  async function readFile(
    { skills, environment }: Opened,
    name: string,
    asked: string,
    options: SkillCallOptions,
  ): Promise<SkillResource | null> {
    const known = skills.get(name);
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
    warn,
    leaveOut(skill, path, fix) {
      const message = `${framework} cannot have ${JSON.stringify(path)} in skills of this kind, so it is left out.`;
      warn('bridge-file-left-out', message, { skill, path, fix });
    },
    list: async (options = {}) => (await current(options, true)).listed,
    get: async (name, options = {}) => await getFrom(await current(options), name, options),
    async getAll(options = {}) {
      const opened = await current(options, true);
      const found: (ViewedSkill | null)[] = [];
      const readOne = async (name: string, index: number): Promise<void> => {
        found[index] = await orNull('skill-changed', getFrom(opened, name, options));
      };
      await forEachBounded([...opened.skills.keys()], concurrency, readOne, options.signal);
      return found.flatMap((skill) => skill ?? []);
    },
    async read(name, path, options = {}) {
      const opened = await current(options);
      const viewed = await getFrom(opened, name, options);
      if (path === 'SKILL.md') return viewed && skillMdOf(viewed);
      return viewed?.files.some((entry) => entry.path === path) === true ? await readFile(opened, name, path, options) : null;
    },
    async readAll(skill, options = {}) {
      const { files, metadata } = skill;
      if (files.length === 0) return new Map([['SKILL.md', skillMdOf(skill)]]);
      const opened = await current(options);
      const read: (SkillResource | null)[] = [skillMdOf(skill)];
      const readOne = async ({ path }: SkillResourceEntry, index: number): Promise<void> => {
        read[index + 1] = await readFile(opened, metadata.name, path, options);
      };
      await forEachBounded(files, concurrency, readOne, options.signal);
      return new Map(read.flatMap((file, index) => (file === null ? [] : [[files[index - 1]?.path ?? 'SKILL.md', file]])));
    },
  };
}

function skillMdOf({ skillMd }: ViewedSkill): SkillResource {
  return { path: 'SKILL.md', bytes: skillMd, size: skillMd.length, mediaType: 'text/markdown' };
}

async function isPermitted(asked: Promise<void>): Promise<boolean> {
  return (await orNull('permission-denied', asked)) !== null;
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
