import fc from 'fast-check';
import {
  emptySkillState,
  type SkillDefinition,
  type SkillMetadata,
  type SkillProvider,
  type SkillSession,
  type SkillsetOptions,
  type SkillState,
  skillAllowedTools,
} from '@repertoire/skills-core';

/** Tools of the host, and names of skills, in generated worlds. */
export const tools: readonly string[] = ['pay', 'refund', 'search', 'delete_all'];
export const names: readonly string[] = ['a', 'b', 'c'];
export const subset = (values: readonly string[]): fc.Arbitrary<string[]> => fc.subarray([...values]);

/** A skill whose every part names it. */
export const anySkill: fc.Arbitrary<SkillDefinition> = fc
  .record({
    name: fc.constantFrom(...names),
    version: fc.constantFrom(null, '1.0.0', '2.0.0'),
    tools: subset(tools),
    isFile: fc.boolean(),
    autoActivate: fc.constantFrom(undefined, undefined, 'always' as const, 'currentSkill' as const),
    disableModelInvocation: fc.boolean(),
    allowedTools: fc.option(subset(tools), { nil: undefined }),
    tier: fc.constantFrom('free', 'gold'),
  })
  .map(({ isFile, tier, ...skill }): SkillDefinition => {
    const mark = `«${skill.name}@${skill.version ?? '-'}»`;
    return {
      ...skill,
      description: `DESCRIPTION${mark} ${'words '.repeat(skill.name === 'b' ? 30 : 5)}`,
      body: `BODY${mark}`,
      metadata: { tier },
      resources: { 'f.md': `FILE${mark}`, [`assets/only-${skill.version ?? 'none'}.md`]: `FILE${mark}` },
      ...(isFile && { skillMd: `FILE${mark}` }),
    };
  });
export const anyLibrary: fc.Arbitrary<SkillDefinition[]> = fc.uniqueArray(anySkill, {
  selector: ({ name, version }) => `${name}@${version}`,
  maxLength: 6,
});

/** What a host decides: pure functions of the skill, so that asking twice gives the same answer. */
export interface GeneratedHost {
  readonly gatedTools: readonly string[];
  readonly allowedTools: 'restrict' | 'pre-approve' | undefined;
  readonly activation: 'single' | undefined;
  readonly hiddenTier: string;
  readonly deniedLoads: readonly string[];
  readonly deniedReads: readonly string[];
}
export const anyHost: fc.Arbitrary<GeneratedHost> = fc.record({
  gatedTools: subset(['pay', 'refund', 'del*']),
  allowedTools: fc.constantFrom(undefined, 'restrict', 'pre-approve'),
  activation: fc.constantFrom(undefined, 'single'),
  hiddenTier: fc.constantFrom('none', 'gold', 'free'),
  deniedLoads: subset(['a@-', 'a@1.0.0', 'a@2.0.0', 'b@-', 'c@1.0.0']),
  deniedReads: subset(['a@-', 'a@2.0.0', 'b@1.0.0', 'c@-']),
});

const titleOf = ({ name, version }: Pick<SkillMetadata, 'name' | 'version'>) => `${name.split(':').at(-1)}@${version ?? '-'}`;
const isSelected = ({ hiddenTier }: GeneratedHost, skill: SkillMetadata) => skill.metadata?.['tier'] !== hiddenTier;
const mayLoad = ({ deniedLoads }: GeneratedHost, skill: SkillMetadata) => !deniedLoads.includes(titleOf(skill));

export function optionsOf<Context = undefined>(host: GeneratedHost, provider: SkillProvider): SkillsetOptions<Context> {
  const { gatedTools, allowedTools, activation, deniedReads } = host;
  return {
    gates: { tools: gatedTools },
    allowedTools: allowedTools && skillAllowedTools({ policy: allowedTools }),
    conversation: { activation },
    provider,
    audience: {
      select: (skill) => isSelected(host, skill),
      permissions: ({ action, skill }) =>
        action === 'load' ? mayLoad(host, skill) : action === 'read' ? !deniedReads.includes(titleOf(skill)) : true,
    },
  };
}

/** Words that a host of these options must not let through now, whatever was said before. */
export function forbiddenWords(host: GeneratedHost, listed: readonly SkillMetadata[]): string[] {
  return listed.flatMap((skill) => {
    const mark = `«${titleOf(skill)}»`;
    const parts = isSelected(host, skill) ? [] : ['DESCRIPTION', 'BODY', 'FILE'];
    if (!mayLoad(host, skill)) parts.push('BODY');
    if (host.deniedReads.includes(titleOf(skill))) parts.push('FILE');
    return [...new Set(parts)].map((part) => `${part}${mark}`);
  });
}

/** The tools that may run. */
export async function openTools(session: SkillSession, state: SkillState): Promise<string[]> {
  const verdicts = await Promise.all(tools.map((tool) => session.judgeCall(state, { tool })));
  return tools.filter((_, index) => verdicts[index]?.decision !== 'denied');
}

/** The tools that no gate keeps closed, though a skill may restrict them. */
export async function gateOpen(session: SkillSession, state: SkillState): Promise<string[]> {
  const verdicts = await Promise.all(tools.map((tool) => session.judgeCall(state, { tool })));
  return tools.filter((_, index) => {
    const verdict = verdicts[index];
    return verdict?.decision !== 'denied' || verdict.error.code === 'permission-denied';
  });
}

/** Skills of this session that open a closed tool for this host, if they are loaded. */
export function openersOf(session: SkillSession, host: GeneratedHost, tool: string): SkillMetadata[] {
  return session.catalog.listed.filter(
    (skill) => skill.tools?.includes(tool) && skill.origin?.trusted === true && mayLoad(host, skill) && isSelected(host, skill),
  );
}

/** Whether a skill stands open from the start, by the host's own words. */
export const isAlwaysActive = (skill: SkillMetadata): boolean => skill.origin?.kind === 'code' && skill.autoActivate === 'always';

/** Loads what the host can load of these names. */
export async function loadable(session: SkillSession, wanted: readonly string[]): Promise<SkillState> {
  let state = emptySkillState;
  for (const name of wanted) state = session.apply(state, (await session.load({ name }, { state })).events);
  return state;
}
