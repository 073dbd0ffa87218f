import { emptySkillState, type SkillSession, type Skillset, type SkillState } from '@repertoire/skills-core';

/** Tools that begin or end skills, or list what could be begun. */
const beginningRoles: ReadonlySet<string> = new Set(['load', 'unload', 'list']);

const headText =
  'These skills are in force from the start. Follow the instructions of each when a task matches it; nothing has to be loaded.';

/**
 * The same skillset with skills that are in force from the start: their instructions stand in the
 * system prompt, once, in this order, and no tool begins or ends one. Files, scripts and workflows
 * of skills are reached by their tools as ever. The state of a conversation stays empty.
 *
 * What a request's `select` or `permissions` refuse is not in its prompt.
 *
 * @example
 * ```ts
 * import { standingSkillset } from '@repertoire/skill-fs/agent';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * export function alwaysOn(skillset: Skillset): Skillset {
 *   return standingSkillset(skillset, ['house-style']);
 * }
 * ```
 */
export function standingSkillset<Context>(skillset: Skillset<Context>, names: readonly string[]): Skillset<Context> {
  return {
    ...skillset,
    toolDescriptions: skillset.toolDescriptions.filter(({ role }) => !beginningRoles.has(role)),
    async open(...request) {
      const session = await skillset.open(...request);
      return standingSession(session, await standingOf(session, names, request[0]?.signal), skillset);
    },
  };
}

interface Standing {
  readonly text: string;
  readonly loaded: SkillState['loaded'];
  readonly hasFiles: boolean;
}

async function standingOf(session: SkillSession, names: readonly string[], signal: AbortSignal | undefined): Promise<Standing> {
  const texts: string[] = [];
  const loaded: Record<string, SkillState['loaded'][string]> = {};
  for (const name of names) {
    const { text, events, error } = await session.load({ name }, { state: emptySkillState, signal });
    if (error?.code === 'permission-denied' || error?.code === 'skill-not-found') continue;
    if (error !== undefined) throw error;
    const entry = session.apply(emptySkillState, events).loaded[name];
    texts.push(text);
    if (entry !== undefined) loaded[name] = { ...entry, sequence: texts.length };
  }
  // No body can write this element: what it says is escaped.
  const hasFiles = texts.some((text) => text.includes('<skill_files>'));
  return { text: texts.length === 0 ? '' : [headText, ...texts].join('\n\n'), loaded, hasFiles };
}

function standingSession(session: SkillSession, standing: Standing, { countTokens }: Pick<Skillset, 'countTokens'>): SkillSession {
  const { text, hasFiles } = standing;
  const also = (state: SkillState): SkillState => ({ loaded: { ...state.loaded, ...standing.loaded } });
  const wrap = (other: SkillSession): SkillSession => standingSession(other, standing, { countTokens });
  const offered = session.tools.filter(({ role }) => !beginningRoles.has(role) && (hasFiles || role.startsWith('run')));
  return {
    ...session,
    catalog: { ...session.catalog, text, toolText: '', tokens: countTokens(text) },
    tools: offered.map((tool) => ({
      ...tool,
      execute: async (input, context) => await tool.execute(input, { ...context, state: also(context.state) }),
    })),
    instructions: (base = '') => [base, text].filter((part) => part !== '').join('\n\n'),
    active: (state) => session.active(also(state)),
    model: (state) => session.model(also(state)),
    judgeCall: (state, call, given) => session.judgeCall(also(state), call, given),
    load: (request, context) => session.load(request, { ...context, state: also(context.state) }),
    invoke: (command, context) => session.invoke(command, { ...context, state: also(context.state) }),
    withToolsOfSkills: (toolsOfSkills) => wrap(session.withToolsOfSkills(toolsOfSkills)),
    inFork(fork) {
      const { alone, beside } = session.inFork(fork);
      return { alone, beside: wrap(beside) };
    },
  };
}
