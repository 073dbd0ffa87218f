import { Annotation, ReducedValue, type BaseChannel, type OverwriteValue } from '@langchain/langgraph';
import type { SkillCatalog, SkillMetadata } from '@repertoire/skills-core';
import type { LoadedSkill } from '@repertoire/skills-core/state';
import * as z from 'zod/v4';

/**
 * What a graph has loaded, as a channel of its state: plain JSON by the name of the skill, `null` where one was unloaded. Updates are maps of the same kind and are
 * merged name by name, so loads in parallel, replays and states that are fed back as input are all safe.
 */
export type LoadedSkills = Readonly<Record<string, LoadedSkill | null>>;

/** Names of the tools that each loaded skill opened, by the name of the skill; `null` where it was unloaded. */
export type LoadedTools = Readonly<Record<string, readonly string[] | null>>;

/**
 * The catalog as the conversation first saw it, without what the host said of the request. A skill that is in `skills` stands in `listed` as its place there, since a
 * checkpointer writes all of this often.
 */
export interface KeptCatalog extends Omit<SkillCatalog, 'context' | 'listed'> {
  readonly listed: readonly (SkillMetadata | number)[];
}

/** The part of a graph's state that this package reads and writes. */
export interface SkillsGraphState {
  readonly loaded_skills: LoadedSkills;
  readonly loaded_tools: LoadedTools;
  /** Private: agents made with `createAgent` leave it out of their output. */
  readonly _skill_catalog: KeptCatalog | null;
}

/** An update of that state. */
export type SkillsStateUpdate = { -readonly [Key in keyof SkillsGraphState]?: SkillsGraphState[Key] };

/** Channels for a `StateSchema`; see {@link skillsState}. */
export type SkillsStateFields = {
  loaded_skills: ReducedValue<LoadedSkills>;
  loaded_tools: ReducedValue<LoadedTools>;
  _skill_catalog: ReducedValue<KeptCatalog | null>;
};

const entry = z.looseObject({ digest: z.string(), sequence: z.number(), inContext: z.boolean() });

/**
 * The channels of skills, to spread into the `StateSchema` of a graph.
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
  loaded_skills: new ReducedValue<LoadedSkills>(schemaOf<LoadedSkills>(z.record(z.string(), entry.nullable()).default({})), {
    reducer: merge,
  }),
  loaded_tools: new ReducedValue<LoadedTools>(schemaOf<LoadedTools>(z.record(z.string(), z.array(z.string()).nullable()).default({})), {
    reducer: merge,
  }),
  _skill_catalog: new ReducedValue<KeptCatalog | null>(schemaOf<KeptCatalog | null>(z.any().default(null)), { reducer: last }),
};

/** The same channels for the older `Annotation`; see {@link skillsAnnotation}. */
export type SkillsAnnotation = {
  loaded_skills: Channel<LoadedSkills>;
  loaded_tools: Channel<LoadedTools>;
  _skill_catalog: Channel<KeptCatalog | null>;
};

type Channel<Value> = BaseChannel<Value, OverwriteValue<Value> | Value>;

/**
 * The channels of skills, to spread into `Annotation.Root`. It is not for the middleware of `createAgent`, which ignores annotations.
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
  loaded_skills: Annotation<LoadedSkills>({ reducer: merge, default: () => ({}) }),
  loaded_tools: Annotation<LoadedTools>({ reducer: merge, default: () => ({}) }),
  _skill_catalog: Annotation<KeptCatalog | null>({ reducer: last, default: () => null }),
};

function merge<Value>(
  current: Readonly<Record<string, Value>>,
  next: Readonly<Record<string, Value>> | undefined,
): Readonly<Record<string, Value>> {
  return { ...current, ...next };
}

function last<Value>(current: Value, next: Value | undefined): Value {
  return next === undefined ? current : next;
}

type Schema<Value> = ConstructorParameters<typeof ReducedValue<Value>>[0];

/** The schema's own type has `undefined` and mutable parts, which nobody here needs. */
function schemaOf<Value>(schema: z.ZodType): Schema<Value> {
  return schema as unknown as Schema<Value>;
}
