import fc from 'fast-check';
import {
  composeProviders,
  SkillError,
  skillApprovals,
  type SkillAnswer,
  type SkillDefinition,
  type SkillProvider,
  type SkillsetOptions,
} from '@repertoire/skills-core';
import { sharedStore } from './approval-world.ts';
import { fixedSkillProvider } from '@repertoire/skills-core/internal';

/** A skill of a world. Every text of it says whose it is and how often it was edited. */
export interface WorldSkill {
  /** Edits of the instructions. */
  readonly body: number;
  /** Edits of its file and its script. */
  readonly file: number;
  readonly hasExtra: boolean;
}

export interface WorldSource {
  readonly label: string;
  trusted: boolean;
  isDown: boolean;
  readonly skills: Map<string, WorldSkill>;
}

/** The last of them runs in an agent of its own, where its source is trusted. */
export const worldNames = ['refunds', 'invoices', 'research'] as const;
type Name = (typeof worldNames)[number];

/** What can happen between two steps of a conversation. */
export type WorldStep =
  | { readonly do: 'load' | 'load-at-once' | 'unload' | 'read' | 'run' | 'pay'; readonly name: Name }
  | { readonly do: 'edit' | 'edit-file' | 'add-file' | 'remove' | 'add'; readonly name: Name; readonly source: 0 | 1 }
  | { readonly do: 'run-while-edited'; readonly name: Name; readonly source: 0 | 1 }
  /** Who may load it changes; a client says that it is the other one; a bridge serves it; staff answers what was asked about it. */
  | { readonly do: 'permit' | 'claim' | 'bridge' | 'approve' | 'approve-once' | 'refuse'; readonly name: Name }
  | { readonly do: 'store-fails' | 'store-lost' }
  | { readonly do: 'reorder' | 'restored' | 'resume' | 'forget' }
  | { readonly do: 'outage' | 'trust'; readonly source: 0 | 1 };

const name = fc.constantFrom<Name>('refunds', 'invoices', 'refunds', 'invoices', 'research');
const source = fc.constantFrom(0 as const, 1 as const);

/** Mostly what a conversation does: a world that only changes shows nothing. */
export const anyStep: fc.Arbitrary<WorldStep> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constantFrom('load' as const, 'read' as const, 'run' as const, 'pay' as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unload' as const), name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'edit-file' as const, 'add-file' as const, 'remove' as const, 'add' as const),
      name,
      source,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('reorder' as const, 'restored' as const, 'resume' as const, 'forget' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('run-while-edited' as const), name, source }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('permit' as const, 'claim' as const, 'bridge' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('outage' as const, 'trust' as const), source }) },
);

/** The same where people approve what has no trust: then most of what is done is asked about first. */
export const anyApprovedStep: fc.Arbitrary<WorldStep> = fc.oneof(
  { weight: 4, arbitrary: anyStep },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('approve' as const, 'approve' as const, 'approve' as const, 'approve-once' as const, 'refuse' as const),
      name,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('load' as const, 'load-at-once' as const), name: fc.constant('invoices' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('store-fails' as const, 'store-fails' as const, 'store-lost' as const) }) },
);

/** How much a source tells by itself. What it does not tell, the core must find out. */
export type Telling = 'all' | 'no-content' | 'ignores-options';
export const anyTelling = fc.constantFrom<Telling>('all', 'no-content', 'ignores-options');

/** The mark in the texts of a skill: of its instructions, or of a file. */
export const markOf = (label: string, skill: string, part: 'body' | 'file', edits: number): string =>
  `«${label}/${skill}/${part}/${edits}»`;

/** The marks in a text. */
export const marksIn = (text: string): string[] => text.match(/«[^»]*»/g) ?? [];

/** What sources have, and how they are. */
export type WorldMoment = Pick<World, 'skillAt' | 'isUp' | 'isTrusted'>;

const turnsOfSlowStore = 8;

/** Two sources that change, fail and swap places under an agent. */
export class World {
  readonly sources: readonly [WorldSource, WorldSource];
  readonly provider: SkillProvider;
  #order: readonly (0 | 1)[] = [0, 1];
  readonly #telling: Telling;
  readonly #store = sharedStore();
  /** Names of skills that nobody may load now. */
  readonly denied = new Set<string>();
  isStoreFailing = false;
  /** What it answers arrives later, so that calls at once ask it before any of them has its answer. */
  isStoreSlow = false;
  /** What the host decides besides its sources: for each skillset that a host makes. */
  readonly options: Pick<SkillsetOptions, 'audience' | 'approvals'>;
  #atNextRead: WorldStep | undefined;

  constructor(telling: Telling, asksPeople = false) {
    this.#telling = telling;
    const store = this.#store;
    const asked = <Call extends (...given: never[]) => unknown>(call: Call): Call =>
      (async (...given: never[]) => {
        if (this.isStoreFailing) throw new Error('The store fails.');
        const answer = await call(...given);
        for (let turn = 0; this.isStoreSlow && turn < turnsOfSlowStore; turn += 1) await new Promise((next) => void setImmediate(next));
        return answer;
      }) as unknown as Call;
    this.options = {
      audience: { permissions: ({ action, skill: of }) => action === 'list' || !this.denied.has(of.name) },
      ...(asksPeople && {
        approvals: skillApprovals({
          store: {
            get: asked(store.get),
            set: asked(store.set),
            delete: asked(store.delete),
            take: asked(store.take),
            keys: asked(store.keys),
          },
          askWhom: 'staff',
        }),
      }),
    };
    const skill: WorldSkill = { body: 0, file: 0, hasExtra: false };
    this.sources = [
      {
        label: 'own',
        trusted: true,
        isDown: false,
        skills: new Map([
          ['refunds', skill],
          ['research', skill],
        ]),
      },
      {
        label: 'other',
        trusted: false,
        isDown: false,
        skills: new Map([
          ['refunds', skill],
          ['invoices', skill],
        ]),
      },
    ];
    const composed = (): SkillProvider => composeProviders(this.#order.map((index) => this.#providerOf(this.sources[index])));
    this.provider = {
      label: 'world',
      listSkills: (options) => composed().listSkills(options),
      getSkill: (...given) => composed().getSkill(...given),
      readResource: async (...given) => {
        const answer = await composed().readResource(...given);
        const step = this.#atNextRead;
        this.#atNextRead = undefined;
        if (step !== undefined) this.change(step);
        return answer;
      },
      ...(telling === 'all' && { contentOf: async (...given) => await composed().contentOf?.(...given) }),
    };
  }

  /** Staff answers all questions about a skill that wait, as they were asked. @returns the contents that it said yes to */
  async answer(of: string, answer: SkillAnswer['answer']): Promise<readonly string[]> {
    const inbox = this.options.approvals?.inbox(undefined);
    if (inbox === undefined || this.isStoreFailing) return [];
    const given: string[] = [];
    for (const { question } of await inbox.questions()) {
      const [about] = question.skills;
      if (question.kind !== 'load' || about?.name !== of || about.content === null) continue;
      if ((await inbox.answer(question.id, { answer })) || answer === 'never') given.push(`${about.source} ${about.content}`);
    }
    return given;
  }

  /** Everything that people said is gone. */
  loseStore(): void {
    this.#store.texts.clear();
  }

  /** Names the content that a source would have with these edits, as questions do. */
  async contentOf(label: string, of: string, skill: WorldSkill): Promise<string> {
    const found = await fixedSkillProvider([definitionOf(label, of, skill)], { label }).getSkill(of);
    return `${label} ${found?.content}`;
  }

  /** The world as it is now, for later. */
  snapshot(): WorldMoment {
    const sources = new Map(
      this.sources.map(({ label, trusted, isDown, skills }) => [label, { trusted, isDown, skills: new Map(skills) }]),
    );
    return {
      skillAt: (label, skill) => sources.get(label)?.skills.get(skill),
      isUp: (label) => sources.get(label)?.isDown === false,
      isTrusted: (label) => sources.get(label)?.trusted === true,
    };
  }

  /** The skill that a source has now. */
  skillAt(label: string, skill: string): WorldSkill | undefined {
    return this.#sourceOf(label)?.skills.get(skill);
  }

  isUp(label: string): boolean {
    return this.#sourceOf(label)?.isDown === false;
  }

  isTrusted(label: string): boolean {
    return this.#sourceOf(label)?.trusted === true;
  }

  /** Changes right behind the next read of a file, or not at all if this is undefined. */
  changeAtNextRead(step: WorldStep | undefined): void {
    this.#atNextRead = step;
  }

  change(step: WorldStep): void {
    switch (step.do) {
      case 'edit':
        return this.#edit(step, (skill) => ({ ...skill, body: skill.body + 1 }));
      case 'edit-file':
        return this.#edit(step, (skill) => ({ ...skill, file: skill.file + 1 }));
      case 'add-file':
        return this.#edit(step, (skill) => ({ ...skill, hasExtra: true }));
      case 'remove':
        this.sources[step.source].skills.delete(step.name);
        return;
      case 'add':
        if (!this.sources[step.source].skills.has(step.name)) {
          // What comes back has another content than what was there.
          this.sources[step.source].skills.set(step.name, { body: 100, file: 100, hasExtra: false });
        }
        return;
      case 'reorder':
        this.#order = this.#order.toReversed();
        return;
      case 'outage':
        this.sources[step.source].isDown = !this.sources[step.source].isDown;
        return;
      case 'trust':
        this.sources[step.source].trusted = !this.sources[step.source].trusted;
        return;
      default:
        throw new Error(`${step.do} does not change the world.`);
    }
  }

  #edit({ source: at, name: skill }: { readonly source: 0 | 1; readonly name: string }, edit: (skill: WorldSkill) => WorldSkill): void {
    const before = this.sources[at].skills.get(skill);
    if (before !== undefined) this.sources[at].skills.set(skill, edit(before));
  }

  #sourceOf(label: string): WorldSource | undefined {
    return this.sources.find((candidate) => candidate.label === label);
  }

  #providerOf(of: WorldSource): SkillProvider {
    const definitions = [...of.skills].map(([skill, edits]) => definitionOf(of.label, skill, edits));
    const { contentOf, ...inner } = fixedSkillProvider(definitions, { label: of.label, trusted: of.trusted });
    const assertUp = (): void => {
      if (of.isDown) throw new SkillError('source-unavailable', `"${of.label}" is down.`, { source: of.label });
    };
    return {
      ...inner,
      // A skill in code closes tools, which is not what is asked here.
      gatedTools: () => [],
      async listSkills(options) {
        assertUp();
        return await inner.listSkills(options);
      },
      getSkill: async (skill, options = {}) => {
        assertUp();
        if (this.#telling === 'all') return await inner.getSkill(skill, options);
        const { place: _place, content: _content, source: _source, ...asked } = options;
        const found = await inner.getSkill(skill, this.#telling === 'ignores-options' ? asked : options);
        if (found === null) return null;
        const { content: _told, ...rest } = found;
        return rest;
      },
      readResource: async (skill, path, options = {}) => {
        assertUp();
        const { digest: _digest, place: _place, content: _content, source: _source, ...asked } = options;
        return await inner.readResource(skill, path, this.#telling === 'ignores-options' ? asked : options);
      },
      ...(this.#telling === 'all' &&
        contentOf !== undefined && {
          async contentOf(...given) {
            assertUp();
            return await contentOf(...given);
          },
        }),
    };
  }
}

function definitionOf(label: string, skill: string, { body, file, hasExtra }: WorldSkill): SkillDefinition {
  const mark = markOf(label, skill, 'file', file);
  return {
    name: skill,
    // The same frontmatter everywhere and always: only place and content tell the skills apart.
    description: `Handles ${skill}.`,
    tools: [`pay_${skill}`],
    ...(skill === 'research' && { context: 'fork' as const }),
    body: `Instructions ${markOf(label, skill, 'body', body)}`,
    resources: { 'guide.md': `Guide ${mark}`, 'scripts/run.mjs': `// ${mark}`, ...(hasExtra && { 'extra.md': `Extra ${mark}` }) },
  };
}
