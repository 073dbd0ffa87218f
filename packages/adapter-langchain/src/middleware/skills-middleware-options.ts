import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { ReattachOptions } from '@repertoire/skills-core/state';
import type { InteropZodObject } from '@langchain/core/utils/types';
import type { SkillsOptions } from '../binding/skills-options.ts';

/** Options of {@link skillsMiddleware}. */
export interface SkillsMiddlewareOptions<Context = undefined> extends SkillsOptions<Context> {
  /** Name of the middleware. An agent has one of them; for several sources, compose providers. @default 'RepertoireSkills' */
  readonly name?: string | undefined;
  /** The models that skills may ask for, by the name that they use: `{ haiku: new ChatAnthropic(…) }`. One that is not there is reported, and changes nothing. @default none */
  readonly models?: Readonly<Record<string, BaseChatModel>> | undefined;
  /**
   * Puts the instructions of loaded skills back where a summary or another edit cut them from the messages: how much room there is, or `false`.
   * @default 25,000 tokens together, 5,000 each
   */
  readonly reattach?: Omit<ReattachOptions, 'names' | 'signal'> | false | undefined;
  /** Carries out the skillset's `refreshPolicy`. It costs one more step of the graph for each model call, which counts for `recursionLimit`. @default false */
  readonly refresh?: boolean | undefined;
  /**
   * Also judges calls of tools that this middleware was not given, before they run. It costs one more step of the graph for each model call.
   * @default true where the skillset's `allowedTools` is 'restrict'
   */
  readonly guardAllTools?: boolean | undefined;
  /** Loads the skill that a person types as `/name arguments`, also one that only a person may start. @default false: it is a message like any other */
  readonly commands?: boolean | undefined;
  /** How long a catalog lasts: the model sees the same bytes for that long. @default 'conversation' */
  readonly catalogLasts?: 'conversation' | 'run' | undefined;
  /** Marks the end of the catalog for the cache of Anthropic's models. @default no mark */
  readonly cacheControl?: { readonly type: 'ephemeral'; readonly ttl?: '5m' | '1h' | undefined } | undefined;
  /** Schema of `context` of the call, as far as the option `context` reads it. @default `context` is not seen where the catalog is read */
  readonly contextSchema?: InteropZodObject | undefined;
}
