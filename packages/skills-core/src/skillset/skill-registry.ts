import type {
  GetSkillOptions,
  ReadResourceOptions,
  Skill,
  SkillCallOptions,
  SkillListing,
  SkillProvider,
  SkillResource,
} from '../contract/skill-provider.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import { deepFreeze } from '../contract/deep-freeze.ts';
import { SkillError, type SkillErrorCode } from '../errors/skill-error.ts';
import { assertShapes, type SkillDefinition } from '../contract/define-skill.ts';
import { compareSkills } from '../contract/order.ts';
import { resolveSurfaceMode, type ConcreteSurfaceMode, type SkillSurfaceMode } from '../catalog/surface.ts';
import { ChangeNotifier } from '../providers/support/change-notifier.ts';
import { checkDefinitions, copyFields } from '../providers/check-definitions.ts';
import { fixedSkillProvider } from '../providers/fixed-skill-provider.ts';
import { registryTools, type SkillRegistryTools, type SkillRegistryToolsOptions } from './registry-tools.ts';

/** Options of {@link SkillRegistry}. */
export interface SkillRegistryOptions {
  /** What it holds at first. @default none */
  readonly skills?: readonly SkillDefinition[] | undefined;
  /** Names the source. @default 'code' */
  readonly label?: string | undefined;
  /**
   * Code of the host is trusted; pass `false` for skills that were bundled or uploaded from
   * elsewhere. @default true
   */
  readonly trusted?: boolean | undefined;
  /** Where its skills are listed, if they do not say. @default what the skillset says */
  readonly surfaceMode?: SkillSurfaceMode | undefined;
  /**
   * The provider of the models that its skills are for, such as `anthropic`: what `auto` of a skill
   * or of this registry means. It counts more than the `model` of the skillset, so give it only
   * where all agents of the registry are of that provider.
   * @default not known
   */
  readonly providerHint?: string | undefined;
}

const knownOptions: OptionRules<SkillRegistryOptions> = {
  skills: '[]',
  label: 'string',
  trusted: 'boolean',
  surfaceMode: { 'system-prompt': true, 'tool-only': true, both: true, auto: true },
  providerHint: 'string',
};

/**
 * Skills as TypeScript data: no I/O, no file system, the same in Node.js, a Worker and a browser.
 * It *is* a provider. It may change while agents run, and notifies watchers once for each burst of
 * changes; a call that is under way answers as of its start. A skill may have several versions; it
 * is identified by name and version.
 *
 * Lazy bodies and resources are called each time they are asked for. Of the rest, the registry
 * keeps a frozen copy; the bytes of files are not copied.
 *
 * Skills that the host wrote in code close the tools that they name, unless `trusted` is `false`.
 * Skills that were bundled from files (they have `skillMd`) close none.
 *
 * `getSkill` and `contentOf` tell the content of a skill whose body is a text and whose files are
 * texts, bytes, or have a digest; `null` for every other one, unless the definition tells its
 * `content`. The place of a skill is its name.
 *
 * @throws {SkillError} `duplicate-skill` if two skills share name and version; `invalid-skill` for
 *   one without a name, a description or a body, or with a hostile path. It does not insist on the
 *   standard's rules for names: bundled skills of others are carried as they are,
 *   {@link defineSkill} checks your own.
 * @example
 * ```ts
 * import { createSkillset, defineSkill, SkillRegistry } from '@repertoire/skills-core';
 *
 * const haiku = defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' });
 * const limerick = defineSkill({ name: 'limerick', description: 'Writes limericks. Use when a funny poem is wanted.', body: 'Five lines.' });
 *
 * const registry = new SkillRegistry({ skills: [haiku], label: 'poems' });
 * export const skillset = createSkillset({ provider: registry });
 * registry.register(limerick); // part of every catalog that is read from now on
 * ```
 */
export class SkillRegistry implements SkillProvider {
  readonly label: string;
  readonly #trusted: boolean;
  readonly #surfaceMode: SkillSurfaceMode | undefined;
  readonly #providerHint: string | undefined;
  readonly #skills = new Map<string, SkillDefinition>();
  readonly #changes = new ChangeNotifier();
  #snapshot: Snapshot | undefined;

  constructor(options: SkillRegistryOptions = {}) {
    assertKnownOptions('SkillRegistry', options, knownOptions);
    this.label = options.label ?? 'code';
    this.#trusted = options.trusted ?? true;
    this.#surfaceMode = options.surfaceMode;
    this.#providerHint = options.providerHint;
    const { skills = [] } = options;
    this.#check(skills);
    for (const skill of skills) this.#skills.set(keyOf(skill), copyOf(skill, this.label));
  }

  /** Whether the host trusts its skills. */
  get trusted(): boolean {
    return this.#trusted;
  }

  /** How many skills there are; each version counts. */
  get size(): number {
    return this.#skills.size;
  }

  /**
   * Adds a skill. The registry keeps a frozen copy of it.
   *
   * @throws {SkillError} `duplicate-skill` where it has one of this name and version;
   *   `invalid-skill` for what is no skill
   */
  register(skill: SkillDefinition): this {
    this.#check([skill]);
    const has = `already has ${nameOf(skill)}. Call replace() to overwrite it, or give it another name or version.`;
    if (this.#skills.has(keyOf(skill))) throw this.#error('duplicate-skill', has, skill.name);
    return this.#put(skill);
  }

  /**
   * Puts a skill in the place of the one with the same name and version.
   *
   * @throws {SkillError} `skill-not-found` where there is none; `invalid-skill` for what is no
   *   skill
   */
  replace(skill: SkillDefinition): this {
    this.#check([skill]);
    const lacks = `has no ${nameOf(skill)} to replace. Call register() to add it.`;
    if (!this.#skills.has(keyOf(skill))) throw this.#error('skill-not-found', lacks, skill.name);
    return this.#put(skill);
  }

  /**
   * Removes one version (`null`: the unversioned), or all. Returns whether anything was removed.
   */
  unregister(name: string, version?: string | null): boolean {
    const found = this.list().filter((skill) => isIt(skill, name, version));
    for (const skill of found) this.#skills.delete(keyOf(skill));
    if (found.length > 0) this.#changed();
    return found.length > 0;
  }

  /** Removes everything. */
  clear(): void {
    if (this.#skills.size === 0) return;
    this.#skills.clear();
    this.#changed();
  }

  /** The skill as it was registered, frozen; without `version` the newest. */
  get(name: string, version?: string | null): SkillDefinition | undefined {
    return this.list().find((skill) => isIt(skill, name, version));
  }

  /** Whether there is such a skill; without `version`, in any version. */
  has(name: string, version?: string | null): boolean {
    return this.get(name, version) !== undefined;
  }

  /** All skills as they were registered, in the order of the contract. */
  list(): readonly SkillDefinition[] {
    return this.#current().skills;
  }

  /**
   * The surface mode of a skill: its own, else that of the registry, else what `auto` means for the
   * model. `auto` at any level falls through to the next.
   *
   * @param provider the provider of the model. @default `providerHint`
   * @throws {SkillError} `skill-not-found` for a name that it does not have
   */
  resolveForSkill(skill: string | SkillDefinition, provider: string | undefined = this.#providerHint, model?: string): ConcreteSurfaceMode {
    const found = typeof skill === 'string' ? this.get(skill) : skill;
    if (found === undefined) throw this.#error('skill-not-found', `has no skill ${JSON.stringify(skill)}.`, String(skill));
    const mode = this.#modeOf(found) ?? 'auto';
    return mode === 'auto' ? resolveSurfaceMode(provider, model) : mode;
  }

  /**
   * A tool that lists the skills and a tool that loads one, for a chain of tools of one's own: give
   * each to the roles that may use it. They see what the registry has at each call. Both are
   * `undefined` while the registry is empty.
   */
  toTools(options: SkillRegistryToolsOptions = {}): SkillRegistryTools {
    return this.size === 0 ? { listSkills: undefined, loadSkill: undefined } : registryTools(this, options);
  }

  async listSkills(options?: SkillCallOptions): Promise<SkillListing> {
    return await this.#current().provider.listSkills(options);
  }

  async getSkill(name: string, options?: GetSkillOptions): Promise<Skill | null> {
    return await this.#current().provider.getSkill(name, options);
  }

  async readResource(name: string, path: string, options?: ReadResourceOptions): Promise<SkillResource | null> {
    return await this.#current().provider.readResource(name, path, options);
  }

  async contentOf(name: string, options?: GetSkillOptions): Promise<string | null | undefined> {
    return await this.#current().provider.contentOf?.(name, options);
  }

  watch(onChange: () => void): () => void {
    return this.#changes.watch(onChange);
  }

  /** Names of the tools that the registered skills close; see `SkillProvider.gatedTools`. */
  gatedTools(): readonly string[] {
    return this.#current().provider.gatedTools?.() ?? [];
  }

  /** The tools that the registered skills have with them; see `SkillProvider.toolSet`. */
  toolSet(): Readonly<Record<string, object>> {
    return this.#current().provider.toolSet?.() ?? {};
  }

  /** The mode of the skill, else the registry's. Untrusted ones are ignored. */
  #modeOf({ surfaceMode }: SkillDefinition): SkillSurfaceMode | undefined {
    return this.#trusted && surfaceMode !== undefined && surfaceMode !== 'auto'
      ? surfaceMode
      : (this.#surfaceMode ?? (this.#trusted ? surfaceMode : undefined));
  }

  /** The skill as agents get it, with the mode that the registry decides. */
  #served(skill: SkillDefinition): SkillDefinition {
    const mode = this.#modeOf(skill);
    const decided = mode === 'auto' && this.#providerHint !== undefined ? resolveSurfaceMode(this.#providerHint) : mode;
    return decided === skill.surfaceMode || decided === undefined ? skill : { ...skill, surfaceMode: decided };
  }

  #put(skill: SkillDefinition): this {
    this.#skills.set(keyOf(skill), copyOf(skill, this.label));
    this.#changed();
    return this;
  }

  #changed(): void {
    this.#snapshot = undefined;
    this.#changes.notify();
  }

  /** Made when it is first needed, so that registering many skills takes linear time. */
  #current(): Snapshot {
    if (this.#snapshot === undefined) {
      const skills = Object.freeze(
        [...this.#skills.values()]
          .map((skill) => ({ skill, name: skill.name, version: skill.version ?? null }))
          .sort(compareSkills)
          .map(({ skill }) => skill),
      );
      const served = skills.map((skill) => this.#served(skill));
      this.#snapshot = { skills, provider: fixedSkillProvider(served, { label: this.label, trusted: this.#trusted }) };
    }
    return this.#snapshot;
  }

  #check(skills: readonly SkillDefinition[]): void {
    for (const skill of skills) {
      if (typeof skill === 'object' && skill !== null && ['string', 'function'].includes(typeof skill.body)) continue;
      throw this.#error('invalid-skill', 'takes skills: objects with a name, a description and a body. Make them with defineSkill().');
    }
    for (const skill of skills) assertShapes(skill);
    checkDefinitions(skills, this.label);
  }

  #error(code: SkillErrorCode, what: string, skill?: string): SkillError {
    return new SkillError(code, `Registry "${this.label}" ${what}`, { source: this.label, ...(skill !== undefined && { skill }) });
  }
}

interface Snapshot {
  readonly skills: readonly SkillDefinition[];
  readonly provider: SkillProvider;
}

/** A copy that later changes of the skill do not reach. */
function copyOf({ body, resources, skillMd, toolSet, ...fields }: SkillDefinition, label: string): SkillDefinition {
  return Object.freeze({
    ...deepFreeze(copyFields(fields, label)),
    body,
    ...(toolSet && { toolSet: Object.freeze({ ...toolSet }) }),
    ...(resources && { resources: Object.freeze({ ...resources }) }),
    ...(skillMd !== undefined && { skillMd: typeof skillMd === 'object' ? skillMd.slice() : skillMd }),
  });
}

function isIt(skill: SkillDefinition, name: string, version: string | null | undefined): boolean {
  return skill.name === name && (version === undefined || (skill.version ?? null) === version);
}

function keyOf({ name, version }: SkillDefinition): string {
  return JSON.stringify([name, version ?? null]);
}

function nameOf({ name, version }: SkillDefinition): string {
  return `skill ${JSON.stringify(name)}${version === undefined || version === null ? '' : ` of version ${JSON.stringify(version)}`}`;
}
