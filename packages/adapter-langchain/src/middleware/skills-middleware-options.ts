import type { NamedModels } from '@repertoire/skills-core/adapter';
import type { OptionRules } from '@repertoire/skills-core/internal';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { InteropZodObject } from '@langchain/core/utils/types';
import { knownSkillsOptions, type SkillsOptions } from '../binding/skills-options.ts';

/** All options. The compiler reports one that is missing here. */
export const knownMiddlewareOptions: OptionRules<SkillsMiddlewareOptions> = {
  ...knownSkillsOptions,
  name: 'string',
  models: { '{}': true, '()': true },
  commands: 'boolean',
  cacheControl: '{}',
  contextSchema: '{}',
};

/** Options of {@link skillsMiddleware}. */
export interface SkillsMiddlewareOptions<Context = undefined> extends SkillsOptions<Context> {
  /**
   * Name of the middleware. An agent has one such middleware; for several sources, compose
   * providers.
   * @default 'RepertoireSkills'
   */
  readonly name?: string | undefined;
  /**
   * The models that skills may ask for, by the name that skills use: a map, such as `{ haiku: new
   * ChatAnthropic(…) }`, or a function. An unknown name is reported and changes nothing.
   * @default none
   */
  readonly models?: NamedModels<BaseChatModel> | undefined;
  /**
   * Loads the skill that a person types as `/name arguments`, including skills that only a person
   * may start.
   * @default false: such a message is like any other
   */
  readonly commands?: boolean | undefined;
  /** Marks the end of the catalog for Anthropic's prompt cache. @default no mark */
  readonly cacheControl?: { readonly type: 'ephemeral'; readonly ttl?: '5m' | '1h' | undefined } | undefined;
  /** Schema of the call's `context`. @default `context` is not visible to the catalog */
  readonly contextSchema?: InteropZodObject | undefined;
}
