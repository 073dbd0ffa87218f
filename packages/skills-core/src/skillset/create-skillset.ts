import { estimateTokenCount } from 'tokenx';
import { activeInstructions } from '../tools/activation/active-instructions.ts';
import { activateSkill } from '../tools/activation/activate-skill.ts';
import { reattachSkills, type Reattachment, type ReattachOptions } from '../tools/activation/reattach-skills.ts';
import { findUserSkill, parseSkillCommand } from '../tools/activation/user-invocation.ts';
import { findSkill } from '../catalog/find-skill.ts';
import { buildCatalog } from '../catalog/build-catalog.ts';
import type { AllowedToolsDecision, AllowedToolsPolicy } from '../policy/allowed-tools/allowed-tools-decision.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import { isModelInvocable, isUserInvocable, newestOfEach, type SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillCallOptions, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import type { SkillActivity } from '../events/skill-activity.ts';
import { applyMissingTools } from '../policy/missing-tools.ts';
import { modelOverride } from '../policy/model-override.ts';
import { isAllowed, permissionDenied } from '../policy/permissions.ts';
import { inCodeSkillProvider } from '../providers/in-code-skill-provider.ts';
import { toolDecision } from '../policy/tool-decision.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import { refreshPolicyOf, skillsDueForRefresh } from '../state/refresh.ts';
import type { SkillState } from '../state/skill-state.ts';
import { skillStateInContext } from '../state/state-in-context.ts';
import { skillToolAccess, type SkillToolAccess } from '../policy/tool-access.ts';
import { skillStateFromTranscript, type SkillTranscriptEntry } from '../state/transcript.ts';
import { skillSurfaceMode } from '../catalog/surface/resolve-surface-mode.ts';
import { surfaceOf } from '../catalog/surface/surface-of.ts';
import { runTool } from '../tools/run-tool.ts';
import type { SkillTool, SkillToolContext, SkillToolResult } from '../tools/skill-tool.ts';
import { hasLastingEffect, readsFiles, skillTools } from '../tools/skill-tools.ts';
import { identityOf, type SkillReadLimits, type ToolEnvironment } from '../tools/tool-environment.ts';
import { resolveSkillToolNames, type SkillToolNames } from '../prompt/tool-names.ts';
import { resolveExactVersion } from '../providers/versions/version-resolver.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** What a catalog is read for. */
export interface CatalogRequest<Context> extends SkillCallOptions {
  /** What `select` and `permissions` are to know: the tenant, the role. */
  readonly context?: Context | undefined;
  /** Names of the tools that this session has, for `missingTools`. */
  readonly availableTools?: Iterable<string> | undefined;
}

/** A skill that the host loads by itself. */
export interface LoadRequest {
  readonly name: string;
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
}

/** A provider and a policy: the one object that a host holds, for all conversations. It keeps nothing of any of them. */
export interface Skillset<Context = undefined> {
  readonly provider: SkillProvider;
  readonly toolNames: SkillToolNames;
  /** What `allowed-tools` of loaded skills mean here; see {@link Skillset.toolDecision}. */
  readonly allowedTools: AllowedToolsPolicy;
  /**
   * Reads what the agent may know: once a conversation, or once a request where the server remembers nothing.
   *
   * @throws {SkillError} what the provider rejects with, where it cannot answer at all
   */
  catalog(request?: CatalogRequest<Context>): Promise<SkillCatalog<Context>>;
  /** The tools that go with a catalog; none where it is empty. */
  tools(catalog: SkillCatalog<Context>): readonly SkillTool[];
  /** The system prompt with the catalog at its end. The same base and catalog give the same bytes. */
  instructions(catalog: SkillCatalog<Context>, base?: string): string;

  /** The state of a conversation, from its finished tool calls, oldest first. */
  state(transcript: readonly SkillTranscriptEntry[]): SkillState;
  /** A kept state, with what a cut or summarized conversation no longer shows marked as out of context. */
  stateInContext(kept: SkillState, transcript: readonly SkillTranscriptEntry[]): SkillState;
  /** Whether a tool of the host may be called now. */
  toolAccess(catalog: SkillCatalog<Context>, state: SkillState, tool: string): SkillToolAccess;
  /** The model that the loaded skills ask for; `undefined` where none does. */
  modelOverride(catalog: SkillCatalog<Context>, state: SkillState): string | undefined;
  /** What the `allowed-tools` of the loaded skills mean for a call of a host's tool, by the policy of the skillset. Ask it before every call. */
  toolDecision(catalog: SkillCatalog<Context>, state: SkillState, call: AllowedToolCall): AllowedToolsDecision;
  /**
   * Loaded skills whose instructions are to be repeated now that the conversation is `now` tokens long, with `reattachSkills`; none without a refresh policy, and none
   * of those that are only repeated when they are loaded again.
   */
  dueForRefresh(catalog: SkillCatalog<Context>, state: SkillState, now: number): readonly string[];
  /** The instructions that stand in the system prompt under `bodies: 'by-mode'`; else empty. */
  activeInstructions(catalog: SkillCatalog<Context>, state: SkillState, options?: SkillCallOptions): Promise<string>;

  /** Loads a skill for the host, as if the model had: what a graph's own node does. Closed to models is open to the host. */
  load(catalog: SkillCatalog<Context>, request: LoadRequest, context: SkillToolContext): Promise<SkillToolResult>;
  /** Loads the skill that a person typed as `/name arguments`; `null` where the text is no such command. */
  invoke(catalog: SkillCatalog<Context>, text: string, context: SkillToolContext): Promise<SkillToolResult | null>;
  /** The texts of loaded skills that left the context, to be put back within a budget. */
  reattachSkills(catalog: SkillCatalog<Context>, state: SkillState, options?: ReattachOptions): Promise<Reattachment>;
}

/** How much of a skill's files may be read unless the host says otherwise. */
const defaultLimits: SkillReadLimits = { maxResourceBytes: 4 * 1024 * 1024, maxResourceCharacters: 20_000 };

/**
 * Binds a source of skills to the rules by which an agent uses them. Adapters take it as it is.
 *
 * @throws {SkillError} `invalid-options` without a source, with two, or with tool names that cannot be used
 * @example
 * ```ts
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 * const catalog = await skillset.catalog();
 * const [loadSkill] = skillset.tools(catalog);
 * const result = await loadSkill?.execute({ name: 'haiku' }, { state: skillset.state([]) });
 * ```
 */
export function createSkillset<Context = undefined>(options: SkillsetOptions<Context>): Skillset<Context> {
  const provider = providerOf(options);
  const toolNames = resolveSkillToolNames(options.toolNames);
  const countTokens = options.countTokens ?? estimateTokenCount;
  const surface = options.surface ?? 'progressive';
  const modes = { mode: options.surfaceMode ?? 'system-prompt', ...options.model } as const;

  const emit = (activity: SkillActivity): void => {
    try {
      options.onEvent?.(activity);
    } catch {
      // A listener that breaks must not break the agent.
    }
  };

  const environmentOf = (catalog: SkillCatalog<Context>): ToolEnvironment => ({
    provider,
    catalog,
    names: toolNames,
    limits: { ...defaultLimits, ...options.limits },
    fileReader: surface === 'full' ? toolNames.loadResource : toolNames.readFile,
    refresh: options.refreshPolicy,
    isSelected: (skill) => options.select?.(skill, catalog.context) ?? true,
    resolveVersion: options.resolveVersion ?? resolveExactVersion,
    surfaceOf: (skill) => surfaceOf(skillSurfaceMode(skill, modes), { bodies: options.bodies, trusted: isTrusted(skill) }),
    countTokens,
    emit,
    async assertAllowed(action, skill, path) {
      const { allowed, reason } = await isAllowed(options.permissions, { action, skill, path, context: catalog.context });
      if (allowed) return;
      emit({ type: 'skill_denied', action, reason, ...identityOf(skill) });
      throw permissionDenied({ action, skill, path }, reason);
    },
  });

  return {
    provider,
    toolNames,
    allowedTools: options.allowedTools ?? 'ignore',

    async catalog({ context, availableTools, signal } = {}) {
      // Where the host has a context, its hooks are typed to want one; where it has none, `undefined` is it.
      const given = context as Context;
      const all = await provider.listSkills({ signal });
      const { select } = options;
      const listed = select === undefined ? all : all.filter((skill) => select(skill, given));
      const open = newestOfEach(listed).filter(isModelInvocable);
      const answers = await Promise.all(open.map((skill) => isAllowed(options.permissions, { action: 'list', skill, context: given })));
      signal?.throwIfAborted();
      const allowed = open.filter((_, index) => answers[index]?.allowed);
      const skills = availableTools === undefined ? allowed : applyMissingTools(allowed, options.missingTools ?? 'show', availableTools);
      const finders = surface === 'full' ? [toolNames.list] : [];
      const texts = buildCatalog(skills, { names: toolNames, options: options.catalog ?? {}, surface: modes, finders, countTokens });
      emit({ type: 'catalog_built', skills: skills.length, tokens: texts.tokens, ...texts.cut });
      return Object.freeze({ skills, listed, ...texts, context: given });
    },

    tools(catalog) {
      const tools = () => skillTools(environmentOf(catalog), surface, options.unload ?? catalog.skills.some(hasLastingEffect));
      if (catalog.skills.length > 0) return tools();
      // Skills that only a person can start: the model has nothing to load, but files to read once one is started.
      return catalog.listed.some(isUserInvocable) ? tools().filter((tool) => readsFiles(tool.role)) : [];
    },

    instructions: (catalog, base = '') => [base, catalog.text].filter((part) => part !== '').join('\n\n'),

    state: (transcript) => skillStateFromTranscript(transcript, { toolNames }),
    stateInContext: (kept, transcript) => skillStateInContext(kept, transcript, { toolNames }),
    // A skill that names a skill tool in `tools` must not lock the agent out.
    toolAccess: (catalog, state, tool) =>
      Object.values(toolNames).includes(tool) ? { open: true } : skillToolAccess(catalog.listed, state, tool, options.autoActivate),
    modelOverride: (catalog, state) => modelOverride(catalog.listed, state),
    toolDecision: (catalog, state, call) =>
      toolDecision(
        {
          listed: catalog.listed,
          state,
          names: toolNames,
          policy: options.allowedTools,
          neverPreApprove: options.neverPreApprove,
          matching: options.toolMatching,
        },
        call,
      ),
    dueForRefresh: (catalog, state, now) =>
      skillsDueForRefresh(state, options.refreshPolicy, now, catalog.listed).filter(
        (name) => refreshPolicyOf(name, catalog.listed, options.refreshPolicy)?.via !== 'on-load',
      ),
    activeInstructions: (catalog, state, { signal } = {}) => activeInstructions(environmentOf(catalog), state, signal),

    load: (catalog, { name, version, arguments: skillArguments }, context) => {
      const environment = environmentOf(catalog);
      return runTool(toolNames.load, environment, context, () => {
        const exact = newestOfEach(catalog.listed).find((skill) => skill.name === name);
        return activateSkill(
          environment,
          { skill: exact ?? findSkill(catalog, name), version, arguments: skillArguments, by: 'host' },
          context,
        );
      });
    },

    async invoke(catalog, text, context) {
      const command = parseSkillCommand(text);
      if (command === null) return null;
      const environment = environmentOf(catalog);
      return runTool(toolNames.load, environment, context, () =>
        activateSkill(environment, { skill: findUserSkill(catalog, command.name), arguments: command.arguments, by: 'user' }, context),
      );
    },

    reattachSkills: (catalog, state, reattachOptions) => reattachSkills(environmentOf(catalog), state, reattachOptions),
  };
}

function providerOf({ provider, skills }: SkillsetOptions<never>): SkillProvider {
  if (provider !== undefined && skills !== undefined) {
    throw new SkillError('invalid-options', 'createSkillset takes a `provider` or `skills`, not both. Join them with composeProviders.');
  }
  if (provider !== undefined) return provider;
  if (skills !== undefined) return inCodeSkillProvider(skills);
  throw new SkillError('invalid-options', 'createSkillset needs a `provider`, or `skills`.');
}
