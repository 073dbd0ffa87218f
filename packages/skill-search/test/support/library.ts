import type { Skill, SkillMetadata, SkillProvider } from '@repertoire/skills-core';

/** A skill of a test: only a name is needed. */
export type SkillPart = Partial<Skill> & { readonly name: string };

/** A library in memory that can change, fail and hang, and counts what it is asked. */
export class Library {
  readonly reads: string[] = [];
  /** The `SKILL.md` of skills that have one, and of which skills it was asked for. */
  readonly files: Map<string, string> = new Map();
  readonly fileReads: string[] = [];
  listings = 0;
  /** Names of skills whose reading fails, never ends, or finds nothing. */
  readonly failing: Set<string> = new Set();
  readonly hanging: Set<string> = new Set();
  readonly gone: Set<string> = new Set();
  isDown = false;
  #skills: Map<string, Skill> = new Map();
  readonly #listeners: Set<() => void> = new Set();

  constructor(...skills: readonly SkillPart[]) {
    for (const skill of skills) this.put(skill);
  }

  put(skill: SkillPart): void {
    this.#skills.set(`${skill.name}@${skill.version ?? ''}`, {
      description: `Handles ${skill.name}.`,
      body: '',
      resources: [],
      diagnostics: [],
      version: null,
      ...skill,
    });
  }

  remove(name: string): void {
    for (const [key, skill] of this.#skills) if (skill.name === name) this.#skills.delete(key);
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  get watchers(): number {
    return this.#listeners.size;
  }

  provider(options: { readonly watches?: boolean } = {}): SkillProvider {
    return {
      label: 'library',
      listSkills: async () => {
        this.listings += 1;
        if (this.isDown) throw new Error('the shelf is locked');
        const skills = this.#sorted().map(
          ({ body: _body, resources: _resources, diagnostics: _diagnostics, ...metadata }): SkillMetadata => metadata,
        );
        return { skills, diagnostics: [], complete: true };
      },
      getSkill: async (name, { version } = {}) => {
        this.reads.push(name);
        if (this.failing.has(name)) throw new Error('the page is torn');
        if (this.hanging.has(name)) await new Promise<never>(() => {});
        if (this.gone.has(name)) return null;
        return this.#sorted().find((skill) => skill.name === name && (version === undefined || skill.version === version)) ?? null;
      },
      readResource: async (name, path) => {
        if (path === 'SKILL.md') this.fileReads.push(name);
        const file = path === 'SKILL.md' ? this.files.get(name) : undefined;
        if (file === undefined) return null;
        const bytes = new TextEncoder().encode(file);
        return { path, bytes, size: bytes.length, mediaType: 'text/markdown' };
      },
      ...(options.watches === true && {
        watch: (onChange: () => void) => {
          this.#listeners.add(onChange);
          return () => this.#listeners.delete(onChange);
        },
      }),
    };
  }

  #sorted(): Skill[] {
    const version = (skill: Skill) => Number.parseInt(skill.version ?? '-1', 10);
    return [...this.#skills.values()].sort((a, b) => (a.name === b.name ? version(b) - version(a) : a.name < b.name ? -1 : 1));
  }
}
