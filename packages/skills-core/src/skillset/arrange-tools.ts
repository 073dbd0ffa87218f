import type { SkillState } from '../state/skill-state.ts';
import type { SkillSession } from './skill-session.ts';

/** What {@link arrangeTools} arranges. */
export interface ArrangeToolsInput<Tool> {
  readonly session: Pick<SkillSession, 'isHidden' | 'tools' | 'withToolsOfSkills'>;
  /** What the conversation has loaded. */
  readonly state: SkillState;
  /** The agent's tools as a model would see them: skill tools, then the host's. */
  readonly tools: readonly Tool[];
  /** The tools of loaded skills, by the name of the skill. */
  readonly toolsOfSkills: ReadonlyMap<string, readonly Tool[]>;
  /** Whether a model sees closed tools. */
  readonly hideClosed: boolean;
  /** Skill tools among `tools`; missing ones are left out. @default none are left out */
  readonly skillTools?: readonly string[] | undefined;
  /** The name by which skills and gates know a tool. */
  readonly nameOf: (tool: Tool) => string;
}

/**
 * Returns the tools that a model sees, in their order. Tools that never change come first, so that
 * a model's provider can cache them. The tools of loaded skills follow in load order, and so do
 * open gated tools if closed ones are hidden. Tools that the host hides are left out.
 *
 * @example
 * ```ts
 * import type { SkillSession, SkillState } from '@repertoire/skills-core';
 * import { arrangeTools } from '@repertoire/skills-core/adapter';
 *
 * export const shown = (session: SkillSession, state: SkillState, tools: readonly { readonly name: string }[]) =>
 *   arrangeTools({ session, state, tools, toolsOfSkills: new Map(), hideClosed: true, nameOf: ({ name }) => name });
 * ```
 */
export async function arrangeTools<Tool>(input: ArrangeToolsInput<Tool>): Promise<Tool[]> {
  const { session, state, toolsOfSkills, hideClosed, skillTools = [], nameOf } = input;
  const own = new Set(session.tools.map(({ name }) => name));
  const there = input.tools.filter((tool) => {
    const name = nameOf(tool);
    return !session.isHidden(name) && (!skillTools.includes(name) || own.has(name));
  });
  const more = [...toolsOfSkills.values()].flat();
  const judging = session.withToolsOfSkills(new Map([...toolsOfSkills].map(([skill, its]) => [skill, its.map(nameOf)])));
  const fixed = hideClosed ? [] : there.map(nameOf);
  const judged = [...(hideClosed ? there : []), ...more].map(nameOf);
  const visible = [...fixed, ...(await judging.visibleTools(judged, state))];
  // The first place counts if a name occurs twice.
  const rankOf = new Map(visible.map((name, index) => [name, index] as const).toReversed());
  const ranked = [...there, ...more].flatMap((tool) => {
    const rank = rankOf.get(nameOf(tool));
    return rank === undefined ? [] : [{ tool, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ tool }) => tool);
}
