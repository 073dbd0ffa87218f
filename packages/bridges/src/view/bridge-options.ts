import type { SkillDiagnostic, SkillProvider, Skillset } from '@repertoire/skills-core';
import type { ContextArguments } from '@repertoire/skills-core/adapter';
import type { OptionRules } from '@repertoire/skills-core/internal';

/**
 * What a bridge serves: a skillset with its policy, or a bare provider with every option at its
 * default.
 */
export type BridgeSource<Context = undefined> = Skillset<Context> | SkillProvider;

/** Options of every bridge. */
export interface BridgeOptions<Context = undefined> {
  /**
   * What `select`, `permissions` and hooks of the skillset are to know: the tenant, the role.
   * @default undefined
   */
  readonly context?: Context | undefined;
  /**
   * Names of the tools of the agent, for `gates.missing` and for the warning about gates. @default
   * not known
   */
  readonly availableTools?: readonly string[] | undefined;
  /** Called with each diagnostic, once, besides `onDiagnostic` of the skillset. */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}

/** Arguments of a bridge, besides its source. `context` is required if the skillset has one. */
export type BridgeArguments<Context, Options = BridgeOptions<Context>> = ContextArguments<Context, Options>;

/** Beside options of which some are required: `context` is one of them if the skillset has one. */
export type NeededContext<Context, Given = { readonly context: Context }> = NonNullable<ContextArguments<Context, object, Given>[0]>;

/** The options above; each entry adds its own. */
export const bridgeOptions: OptionRules<BridgeOptions> = { context: true, availableTools: 'string[]', onDiagnostic: '()' };
