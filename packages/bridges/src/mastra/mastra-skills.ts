import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { decodeText } from '@repertoire/skills-core/provider';
import { bridgeOptions, type BridgeOptions, type BridgeSource, type NeededContext } from '../view/bridge-options.ts';
import { skillView } from '../view/skill-view.ts';
import { defined } from '../view/viewed-skill.ts';

/** What `createSkill` of `@mastra/core/skills` is called with. */
export interface MastraSkillInput {
  name: string;
  description: string;
  instructions: string;
  license?: string;
  compatibility?: string;
  'user-invocable'?: boolean;
  metadata?: Record<string, unknown>;
  /** Text files by path: Mastra serves them below `references/`. */
  references?: Record<string, string>;
}

/** What Mastra gives to a function of `skills`. */
export interface MastraSkillsRequest {
  readonly requestContext: { get(key: string): unknown };
}

/** Options of {@link mastraSkills}. */
export interface MastraSkillsOptions<Made, Context> extends Omit<BridgeOptions<Context>, 'context'> {
  /** `createSkill` of `@mastra/core/skills`. */
  readonly createSkill: (input: MastraSkillInput) => Made;
  /** What `select`, `permissions` and hooks are to know of a request. @default undefined */
  readonly context?: ((request: MastraSkillsRequest) => Context) | undefined;
}

const knownOptions: OptionRules<MastraSkillsOptions<unknown, undefined>> = { ...bridgeOptions, context: '()', createSkill: '()' };

/**
 * Returns skills for the option `skills` of a Mastra agent: selected and permitted for each
 * request.
 *
 * Skills of this kind have text files only, and Mastra serves them below `references/`. A file
 * that is there keeps its path below `references/`; any other file gets its whole path there. What
 * is not text is left out and reported: use `mastraSkillSource` for libraries with other files.
 *
 * @throws {SkillError} `invalid-options` for an option that does not exist
 * @example
 * ```ts
 * import { mastraSkills, type MastraSkillInput } from '@repertoire/bridges/mastra';
 * import type { Skillset } from '@repertoire/skills-core';
 *
 * // new Agent({ …, skills: skillsOf(skillset, createSkill) }), with createSkill of '@mastra/core/skills'
 * export const skillsOf = <Made>(skillset: Skillset<string>, createSkill: (input: MastraSkillInput) => Made) =>
 *   mastraSkills(skillset, { createSkill, context: ({ requestContext }) => String(requestContext.get('tenant')) });
 * ```
 */
export function mastraSkills<Made, Context = undefined>(
  source: BridgeSource<Context>,
  options: MastraSkillsOptions<Made, Context> & NeededContext<Context, { readonly context: (request: MastraSkillsRequest) => Context }>,
): (request: MastraSkillsRequest) => Promise<Made[]> {
  assertKnownOptions('mastraSkills', options, knownOptions);
  const { createSkill, context, ...given } = options;
  return async (request) => {
    const view = skillView('mastraSkills', 'Mastra', source, { ...given, ...(context !== undefined && { context: context(request) }) });
    return await Promise.all(
      (await view.getAll()).map(async (skill) => {
        const references: Record<string, string> = {};
        for (const { path, bytes } of (await view.readAll(skill)).values()) {
          if (path === 'SKILL.md') continue;
          const text = decodeText(bytes);
          if (text !== null) references[path.startsWith('references/') ? path.slice('references/'.length) : path] = text;
          else view.leaveOut(skill.metadata.name, path, 'Serve the library with mastraSkillSource, which has all files.');
        }
        const { name, description, license, compatibility, metadata, userInvocable } = skill.metadata;
        const others = defined({ license, compatibility, metadata: metadata && { ...metadata }, 'user-invocable': userInvocable });
        return createSkill({ name, description, instructions: skill.body, references, ...others });
      }),
    );
  };
}
