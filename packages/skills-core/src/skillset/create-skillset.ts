import { estimateTokenCount } from 'tokenx';
import type { SkillCatalogOptions } from '../catalog/build-catalog.ts';
import { assertKnownOptions, type OptionRules } from '../contract/known-options.ts';
import type { SkillDiagnostic, SkillProvider } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import { judgeCallOffline } from '../policy/gates.ts';
import type { SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import { matchWildcard } from '../policy/allowed-tools/wildcard.ts';
import { resolveSkillToolNames, type SkillToolNames } from '../prompt/tool-names.ts';
import { assertShapes, assertStandard } from '../contract/define-skill.ts';
import { fixedSkillProvider } from '../providers/fixed-skill-provider.ts';
import type { SkillState } from '../state/skill-state.ts';
import type { SkillToolDescription } from '../tools/describe-tool.ts';
import { addedTools, describeSkillTools } from '../tools/skill-tools.ts';
import type { ContextArguments, OpenRequest } from './open-request.ts';
import { sessionOpener } from './open-session.ts';
import { hostReporter } from './reporter.ts';
import type { SkillSession } from './skill-session.ts';
import type { SkillsetOptions } from './skillset-options.ts';

/** A provider and a policy, for all conversations. Keeps nothing of any of them. */
export interface Skillset<Context = undefined> {
  readonly provider: SkillProvider;
  readonly toolNames: SkillToolNames;
  /**
   * Opens a session: what one conversation, or one stateless request, sees. On an unchanged library
   * this costs next to nothing, so open one whenever you need it.
   *
   * @throws {SkillError} what the provider rejects with if it cannot answer; `invalid-options` if a
   *   hook of `audience` takes a context and none was passed
   */
  open(...request: ContextArguments<Context, OpenRequest<Context>>): Promise<SkillSession>;
  /** Every skill tool that a session may have, for frameworks that need them early. */
  readonly toolDescriptions: readonly SkillToolDescription[];
  /** Whether its sessions renew changed skills (`conversation.contentChange: 'renew'`). */
  readonly renewsChanged: boolean;
  /** Whether people approve skills here (`approvals`). */
  readonly asksPerson: boolean;
  /** The verdict on a call while no session can be opened: what the host declared stays closed. */
  judgeCallOffline(state: SkillState, tool: string, cause: unknown): SkillCallVerdict;
  /**
   * Tells the host something, once; see `onDiagnostic`.
   *
   * @param isHeard whether another listener gets it as well, so that it is not printed. @default
   *   false
   */
  report(diagnostic: SkillDiagnostic, isHeard?: boolean): void;
  /** Counts the tokens of a text, as everything in the skillset does. */
  countTokens(text: string): number;
}

const catalogRules: OptionRules<SkillCatalogOptions> = {
  format: { xml: true, markdown: true, json: true },
  guidance: { plain: true, proactive: true, evaluate: true, '()': true },
  argumentHints: 'boolean',
  maxTokens: 'number',
  maxCharacters: 'number',
  maxEntryTokens: 'number',
  maxEntryCharacters: 'number',
  minEntryCharacters: 'number',
  usage: '{}',
};
const knownOptions: OptionRules<SkillsetOptions> = {
  provider: '{}',
  skills: '[]',
  audience: { '{}': { select: '()', permissions: '()', tools: '()' } },
  gates: {
    '{}': {
      tools: { 'string[]': true, named: true },
      missing: { show: true, hide: true, explain: true },
      maxListingAgeMs: 'number',
    },
  },
  allowedTools: '{}',
  approvals: '{}',
  hooks: '{}',
  catalog: { '{}': catalogRules },
  surface: {
    '{}': {
      mode: { 'system-prompt': true, 'tool-only': true, both: true, auto: true },
      model: { '{}': { provider: 'string', model: 'string' } },
      instructions: { 'tool-result': true, 'with-catalog': true },
      tools: { progressive: true, full: true },
      names: { '{}': true, cards: true },
      unload: 'boolean',
    },
  },
  conversation: {
    '{}': {
      activation: { cumulative: true, single: true },
      refresh: { '{}': { afterTokens: 'number', via: { 'tool-result': true, 'on-load': true } } },
      catalogStore: '{}',
      contentChange: { close: true, renew: true },
      contentStore: '{}',
    },
  },
  limits: { '{}': { maxResourceBytes: 'number', maxResourceCharacters: 'number' } },
  discovery: '{}',
  scripts: { string: true, '{}': true },
  workflows: '{}',
  proposals: '{}',
  resolveVersion: '()',
  countTokens: '()',
  onEvent: '()',
  onDiagnostic: { '()': true, silent: true },
};

/** Options that another function makes, a member that it makes, and how it is called. */
const madeOptions = [
  ['allowedTools', 'judge', 'skillAllowedTools({ policy }) of @repertoire/skills-core'],
  ['approvals', 'assertFits', 'skillApprovals({ … }) of @repertoire/skills-core'],
  ['hooks', 'open', 'skillHooks({ … }) of @repertoire/skills-core'],
] as const;

/**
 * Binds a source of skills to the rules by which an agent uses them. Adapters take it as it is.
 *
 * @throws {SkillError} `invalid-options` without a source, with two, with an option that does not
 *   exist, or with tool names that cannot be used
 * @example
 * ```ts
 * import { createSkillset, defineSkill } from '@repertoire/skills-core';
 *
 * const skillset = createSkillset({
 *   skills: [defineSkill({ name: 'haiku', description: 'Writes haiku. Use when a short poem is wanted.', body: 'Five, seven, five.' })],
 * });
 * const session = await skillset.open();
 * const [loadSkill] = session.tools;
 * const result = await loadSkill?.execute({ name: 'haiku' }, { state: session.state([]) });
 * ```
 */
export function createSkillset<Context = undefined>(options: SkillsetOptions<Context>): Skillset<Context> {
  if (Array.isArray(options.provider)) {
    throw new SkillError('invalid-options', 'Option "provider" of createSkillset is a list. Join several with composeProviders.');
  }
  assertKnownOptions('createSkillset', options, knownOptions);
  const provider = providerOf(options);
  const { audience, gates, surface, conversation } = options;
  const added = Object.values(addedTools).map(({ option, made }) => [option, 'describeTool', made] as const);
  for (const [option, member, made] of [...madeOptions, ...added]) {
    const given: object | string | undefined = options[option];
    if (typeof given !== 'object' || member in given) continue;
    throw new SkillError('invalid-options', `createSkillset takes \`${option}\` as ${made} makes it.`);
  }
  options.approvals?.assertFits({ activation: conversation?.activation });
  const toolNames = resolveSkillToolNames(surface?.names);
  const report = hostReporter(options.onDiagnostic);
  const countTokens = options.countTokens ?? estimateTokenCount;
  const open = sessionOpener({ options, provider, names: toolNames, report, countTokens });
  const closed = gates?.tools ?? [];

  return {
    provider,
    toolNames,
    open: (...[request]) => open(request ?? {}),
    renewsChanged: conversation?.contentChange === 'renew',
    asksPerson: options.approvals !== undefined,
    toolDescriptions: describeSkillTools(toolNames, options, {
      surface: surface?.tools ?? 'progressive',
      unload: surface?.unload ?? true,
    }),
    judgeCallOffline: (state, tool, thrown) => {
      const cause = sourceFailed(thrown);
      const isDeclared = closed === 'named' || closed.some((pattern) => matchWildcard(pattern, tool));
      const isGated =
        isDeclared ||
        audience?.tools !== undefined ||
        (provider.gatedTools?.() ?? []).includes(tool) ||
        options.approvals?.isCodeTool(tool) === true;
      return judgeCallOffline(tool, state, { isGated, policy: options.allowedTools?.policy, names: toolNames, cause });
    },
    report,
    countTokens,
  };
}

function providerOf({ provider, skills }: SkillsetOptions<never>): SkillProvider {
  if (provider !== undefined && skills !== undefined) {
    throw new SkillError('invalid-options', 'createSkillset takes a `provider` or `skills`, not both. Join them with composeProviders.');
  }
  if (provider !== undefined) {
    if (typeof provider.listSkills === 'function') return provider;
    throw new SkillError('invalid-options', 'Option "provider" of createSkillset is no provider: it has no listSkills.');
  }
  if (skills !== undefined) {
    for (const skill of skills) {
      assertStandard(skill);
      assertShapes(skill);
    }
    return fixedSkillProvider(skills);
  }
  throw new SkillError('invalid-options', 'createSkillset needs a `provider`, or `skills`.');
}
