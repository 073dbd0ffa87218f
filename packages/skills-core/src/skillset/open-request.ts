import type { SkillCallOptions, SkillDiagnostic } from '../contract/skill-provider.ts';

/**
 * Arguments of a function whose option `context` is required, unless `Context` is `undefined` or
 * `unknown`: a request without its tenant or role would be judged for nobody.
 *
 * @typeParam Given what must be passed besides. @default the context itself
 */
export type ContextArguments<Context, Options, Given = { readonly context: Context }> = [Context] extends [undefined]
  ? readonly [options?: Options]
  : unknown extends Context
    ? readonly [options?: Options]
    : readonly [options: Options & Given];

/** What a session is opened for. */
export interface OpenRequest<Context = undefined> extends SkillCallOptions {
  /** What `select` and `permissions` are to know: the tenant, the role. */
  readonly context?: Context | undefined;
  /**
   * Names the conversation, as the host does: answers for `once` and `conversation` count in it and
   * in no other. Never take it from a client without a check.
   * @default not told: such an answer counts for whoever brings the state that names it
   */
  readonly conversation?: string | undefined;
  /** Names of this session's tools, for `gates.missing` and diagnostics. */
  readonly availableTools?: Iterable<string> | undefined;
  /** `session.kept` of an earlier request. A client may send it: it grants nothing. */
  readonly kept?: unknown;
  /** Called with each diagnostic of this session, besides the skillset's listener. */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
