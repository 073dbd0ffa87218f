import { Annotation, ReducedValue, type BaseChannel, type OverwriteValue } from '@langchain/langgraph';
import type { KeptSession, LoadedSkill } from '@repertoire/skills-core/internal';
import * as z from 'zod/v4';

/**
 * What a graph has loaded, as a channel of its state: plain JSON by the name of the skill, `null`
 * for an unloaded one. Updates have the same shape and are merged by name, so parallel loads,
 * replays and states that are fed back as input are safe.
 *
 * Clients of a graph may write it. It is a claim: trust, tools, servers and texts are read from the
 * source. With `stateSecret`, entries that this host did not write are ignored.
 */
export type LoadedSkills = Readonly<Record<string, LoadedSkill | null>>;

/** Tools that each skill opened; `null` for an unloaded one. Only orders the tools. */
export type LoadedTools = Readonly<Record<string, readonly string[] | null>>;

/** The part of a graph's state that this package reads and writes. */
export interface SkillsGraphState {
  readonly loaded_skills: LoadedSkills;
  readonly loaded_tools: LoadedTools;
  /** A digest of the catalog. Private: agents of `createAgent` leave it out of their output. */
  readonly _skill_session: KeptSession | null;
}

/** Channels with a namespace, such as `loaded_skills_billing`, one for each skillset. */
export type NamespacedSkillsState<Namespace extends string> = {
  readonly [Key in keyof SkillsGraphState as `${Key}_${Namespace}`]: SkillsGraphState[Key];
};

/** Channels for a `StateSchema`; see {@link skillsState}. */
export type SkillsStateFields = {
  loaded_skills: ReducedValue<LoadedSkills>;
  loaded_tools: ReducedValue<LoadedTools>;
  _skill_session: ReducedValue<KeptSession | null>;
};

/** The same channels with a namespace. */
export type NamespacedSkillsStateFields<Namespace extends string> = {
  [Key in keyof SkillsStateFields as `${Key}_${Namespace}`]: SkillsStateFields[Key];
};

/** The names of the channels of a skillset. */
export type SkillsChannels = Readonly<Record<keyof SkillsGraphState | '_skill_run', string>>;

/** The names of the channels, with or without a namespace. */
export function channelsOf(namespace: string | undefined): SkillsChannels {
  const name = (channel: string) => (namespace === undefined ? channel : `${channel}_${namespace}`);
  return {
    loaded_skills: name('loaded_skills'),
    loaded_tools: name('loaded_tools'),
    _skill_session: name('_skill_session'),
    _skill_run: name('_skill_run'),
  };
}

/**
 * The skill channels, to spread into the `StateSchema` of a graph.
 *
 * @example
 * ```ts
 * import { MessagesValue, StateSchema } from '@langchain/langgraph';
 * import { skillsState } from '@repertoire/adapter-langchain/langgraph';
 *
 * export const State = new StateSchema({ messages: MessagesValue, ...skillsState });
 * ```
 */
export const skillsState: SkillsStateFields = {
  loaded_skills: new ReducedValue<LoadedSkills>(schemaOf<LoadedSkills>(z.record(z.string(), z.any()).default({})), {
    reducer: mergeByName,
  }),
  loaded_tools: new ReducedValue<LoadedTools>(schemaOf<LoadedTools>(z.record(z.string(), z.any()).default({})), { reducer: mergeByName }),
  _skill_session: new ReducedValue<KeptSession | null>(schemaOf<KeptSession | null>(z.any().default(null)), { reducer: lastValue }),
};

/**
 * The skill channels with a namespace, for a graph with several skillsets. Pass the same
 * `namespace` to the options of each.
 *
 * @example
 * ```ts
 * import { MessagesValue, StateSchema } from '@langchain/langgraph';
 * import { skillsState, skillsStateOf } from '@repertoire/adapter-langchain/langgraph';
 *
 * export const State = new StateSchema({ messages: MessagesValue, ...skillsState, ...skillsStateOf('billing') });
 * ```
 */
export function skillsStateOf<const Namespace extends string>(namespace: Namespace): NamespacedSkillsStateFields<Namespace> {
  const channels = channelsOf(namespace);
  return {
    [channels.loaded_skills]: skillsState.loaded_skills,
    [channels.loaded_tools]: skillsState.loaded_tools,
    [channels['_skill_session']]: skillsState['_skill_session'],
  } as NamespacedSkillsStateFields<Namespace>;
}

/** The same channels for the older `Annotation`; see {@link skillsAnnotation}. */
export type SkillsAnnotation = {
  loaded_skills: Channel<LoadedSkills>;
  loaded_tools: Channel<LoadedTools>;
  _skill_session: Channel<KeptSession | null>;
};

type Channel<Value> = BaseChannel<Value, OverwriteValue<Value> | Value>;

/**
 * The skill channels, to spread into `Annotation.Root`. Not for the middleware of `createAgent`,
 * which ignores annotations.
 *
 * @example
 * ```ts
 * import { Annotation, MessagesAnnotation } from '@langchain/langgraph';
 * import { skillsAnnotation } from '@repertoire/adapter-langchain/langgraph';
 *
 * export const State = Annotation.Root({ ...MessagesAnnotation.spec, ...skillsAnnotation });
 * ```
 */
export const skillsAnnotation: SkillsAnnotation = {
  loaded_skills: Annotation<LoadedSkills>({ reducer: mergeByName, default: () => ({}) }),
  loaded_tools: Annotation<LoadedTools>({ reducer: mergeByName, default: () => ({}) }),
  _skill_session: Annotation<KeptSession | null>({ reducer: lastValue, default: () => null }),
};

/** Merges an update by name. Anybody may have written it: non-objects count as empty. */
export function mergeByName<Value>(
  current: Readonly<Record<string, Value>>,
  next: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  return { ...mapOf(current), ...mapOf(next) };
}

function mapOf<Value>(value: Readonly<Record<string, Value>> | undefined): Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The newer value. `undefined` changes nothing. */
export function lastValue<Value>(current: Value, next: Value | undefined): Value {
  return next === undefined ? current : next;
}

type Schema<Value> = ConstructorParameters<typeof ReducedValue<Value>>[0];

/** The schema's own type includes `undefined` and mutable parts, which nobody needs here. */
function schemaOf<Value>(schema: z.ZodType): Schema<Value> {
  return schema as unknown as Schema<Value>;
}
