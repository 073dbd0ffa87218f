import {
  createSkillset,
  SkillRegistry,
  type SkillActivity,
  type SkillDefinition,
  type SkillProvider,
  type SkillsetOptions,
  type SkillState,
} from '@repertoire/skills-core';
import { restoreSkills } from '@repertoire/skills-core/adapter';

/** A skill with a tool and a file. */
export const definition = (edit: Partial<SkillDefinition> = {}): SkillDefinition => ({
  name: 'refunds',
  description: 'Gives money back.',
  tools: ['pay'],
  body: 'First body.',
  resources: { 'guide.md': 'First guide.' },
  ...edit,
});

/** A source whose skills can be replaced. `keeps`: it also has what it had before. */
export function library(first: SkillDefinition, trusted = true) {
  let inner = new SkillRegistry({ skills: [first], label: 'desk', trusted });
  const provider: SkillProvider = {
    label: 'desk',
    listSkills: (options) => inner.listSkills(options),
    getSkill: (...given) => inner.getSkill(...given),
    readResource: (...given) => inner.readResource(...given),
    contentOf: async (...given) => await inner.contentOf?.(...given),
  };
  return {
    provider,
    replace: (...next: readonly SkillDefinition[]) => void (inner = new SkillRegistry({ skills: next, label: 'desk', trusted })),
  };
}

/** A process: what it opens, what it told, and what a conversation of it restores or reads. */
export function processOf(provider: SkillProvider, options: Partial<SkillsetOptions> = {}) {
  const events: SkillActivity[] = [];
  const codes: string[] = [];
  const fixes: (string | undefined)[] = [];
  const skillset = createSkillset({
    provider,
    gates: { tools: ['pay'] },
    onEvent: (event) => events.push(event),
    onDiagnostic: ({ code, fix }) => {
      codes.push(code);
      fixes.push(fix);
    },
    ...options,
  });
  return {
    events,
    codes,
    fixes,
    open: () => skillset.open(),
    restore: async (kept: SkillState) =>
      (await restoreSkills(await skillset.open(), [{ role: 'user', entries: [] }], { state: kept })).map(({ text }) => text),
    read: async (state: SkillState, path = 'guide.md') => {
      const { tools } = await skillset.open();
      return await tools.find(({ name }) => name === 'read_skill_file')?.execute({ skill: 'refunds', path }, { state });
    },
    pay: async (state: SkillState) => (await (await skillset.open()).judgeCall(state, { tool: 'pay' })).decision,
  };
}
