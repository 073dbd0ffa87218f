import type { SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { emptySkillState } from '../state/skill-state.ts';
import type { SkillTool, SkillToolContext, SkillToolInputSchema, SkillToolResult } from '../tools/skill-tool.ts';
import { createSkillset, type Skillset } from './create-skillset.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** Options of `toTools` of a registry. */
export type SkillRegistryToolsOptions = Pick<SkillsetOptions, 'audience' | 'surface' | 'onEvent' | 'resolveVersion' | 'limits'>;

/** A JSON Schema that is also a Standard Schema (standardschema.dev). */
export interface StandardToolSchema extends SkillToolInputSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'repertoire';
    readonly types?: { readonly input: Readonly<Record<string, unknown>>; readonly output: Readonly<Record<string, unknown>> } | undefined;
    /** Accepts everything: the tool itself answers a wrong input in words. */
    readonly validate: (value: unknown) => { readonly value: Readonly<Record<string, unknown>> };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/**
 * A tool of a registry. Frameworks that take Standard Schemas take it as it is, and so do
 * `createAgent` and the `ToolNode` of LangChain, which ask for `schema` and `invoke`.
 */
export interface SkillRegistryTool extends Omit<SkillTool, 'inputSchema' | 'execute'> {
  readonly inputSchema: StandardToolSchema;
  /** @param context what is loaded. @default nothing: answers are always whole */
  execute(
    input: unknown,
    context?: Partial<SkillToolContext> & { readonly abortSignal?: AbortSignal | undefined },
  ): Promise<SkillToolResult>;
  /** What the model reads of an answer, in the form of the AI SDK. */
  toModelOutput(answer: { readonly output: SkillToolResult }): { readonly type: 'text' | 'error-text'; readonly value: string };
}

/** Two tools of a registry. */
export interface SkillRegistryTools {
  /** Lists the skills, without arguments. */
  readonly listSkills: SkillRegistryTool | undefined;
  /** Loads a skill by its name. Its description holds no list of skills. */
  readonly loadSkill: SkillRegistryTool | undefined;
}

/** The tools of a source that list and load, which look at the source at each call. */
export function registryTools(provider: SkillProvider, options: SkillRegistryToolsOptions): SkillRegistryTools {
  const skillset = createSkillset({ ...options, provider, surface: { ...options.surface, tools: 'full', mode: 'system-prompt' } });
  return { listSkills: toolOf(skillset, 'list'), loadSkill: toolOf(skillset, 'load') };
}

function toolOf(skillset: Skillset, role: 'list' | 'load'): SkillRegistryTool | undefined {
  const description = skillset.toolDescriptions.find((candidate) => candidate.role === role);
  if (description === undefined) return undefined;
  const made: SkillRegistryTool = {
    ...description,
    inputSchema: standardSchema(description.inputSchema),
    async execute(input, { state = emptySkillState, abortSignal, signal = abortSignal, ...context } = {}) {
      const session = await skillset.open({ signal });
      const tool = session.tools.find((candidate) => candidate.role === role);
      if (tool !== undefined) return await tool.execute(input, { ...context, state, signal });
      const error = new SkillError('skill-not-found', 'There is no skill any more. Go on without one.');
      return { text: String(error), events: [], error };
    },
    toModelOutput: ({ output: { text, error } }) => ({ type: error === undefined ? 'text' : 'error-text', value: text }),
  };
  return Object.defineProperties(made, forLangChain(made));
}

/**
 * What LangChain takes for a tool. Without it, `createAgent` would hand the objects to the model as
 * tools of the provider and never run them. Hidden, so that no other framework meets it.
 */
function forLangChain({ inputSchema, execute }: SkillRegistryTool): PropertyDescriptorMap {
  return {
    lc_runnable: { value: true },
    schema: { value: inputSchema },
    invoke: {
      async value(call: { readonly args?: unknown }, config?: { readonly signal?: AbortSignal | undefined }): Promise<string> {
        return (await execute(call.args, { signal: config?.signal })).text;
      },
    },
  };
}

function standardSchema(schema: SkillToolInputSchema): StandardToolSchema {
  const jsonSchema = () => structuredClone(schema) as unknown as Record<string, unknown>;
  const standard: StandardToolSchema['~standard'] = {
    version: 1,
    vendor: 'repertoire',
    validate: (value) => ({ value: value as Readonly<Record<string, unknown>> }),
    jsonSchema: { input: jsonSchema, output: jsonSchema },
  };
  // Not enumerable, so that the schema stays plain JSON for everything that copies it.
  return Object.defineProperty({ ...schema }, '~standard', { value: standard }) as StandardToolSchema;
}
