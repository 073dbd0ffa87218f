import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { skillsetOf, openSkillset, adapterReporter } from '@repertoire/skills-core/adapter';
import { assertKnownOptions, SizedCache, type OptionRules } from '@repertoire/skills-core/internal';
import type { SkillCallOptions, SkillResource } from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeOptions, type BridgeSource } from './bridge-options.ts';
import { cachedView, type OpenedView } from './cached-view.ts';
import { readAllViewed, readViewedFile, readViewedFiles, readViewedSkill, skillMdOf } from './read-viewed.ts';
import { isFolderName, reportLimits } from './report-limits.ts';
import { viewedMetadata, type ViewedSkill } from './viewed-skill.ts';

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

  const current = cachedView(provider, async (): Promise<OpenedView> => {
    const context = 'context' in options && { context: options.context };
    const session = await openSkillset(skillset, { ...context, availableTools, onDiagnostic: own });
    reportLimits({ framework, provider, session, availableTools: availableTools ?? [], warn });
    const skills = new Map<string, SkillMetadata>();
    for (const skill of session.catalog.skills) if (isFolderName(skill) && !skills.has(skill.name)) skills.set(skill.name, skill);
    const listed = { skills: [...skills.values()].map(viewedMetadata), complete: session.inside.host.present.isComplete };
    const needsPerson = (skill: string): void =>
      warn('bridge-needs-approval', `${framework} has nobody whom it could ask, so skills that a person must approve are not served.`, {
        skill,
        fix: 'Approve them before, with the command `repertoire approve` or in an agent of your own.',
      });
    return { session: session.inside, provider, skills, listed, kept, needsPerson };
  });

  return {
    warn,
    leaveOut(skill, path, fix) {
      const message = `${framework} cannot have ${JSON.stringify(path)} in skills of this kind, so it is left out.`;
      warn('bridge-file-left-out', message, { skill, path, fix });
    },
    list: async (options = {}) => (await current(options, true)).listed,
    get: async (name, options = {}) => await readViewedSkill(await current(options), name, options),
    getAll: async (options = {}) => await readAllViewed(await current(options, true), options),
    async read(name, path, options = {}) {
      const opened = await current(options);
      const viewed = await readViewedSkill(opened, name, options);
      if (path === 'SKILL.md') return viewed && skillMdOf(viewed);
      return viewed?.files.some((entry) => entry.path === path) === true ? await readViewedFile(opened, name, path, options) : null;
    },
    async readAll(skill, options = {}) {
      if (skill.files.length === 0) return new Map([['SKILL.md', skillMdOf(skill)]]);
      return await readViewedFiles(await current(options), skill, options);
    },
  };
}
