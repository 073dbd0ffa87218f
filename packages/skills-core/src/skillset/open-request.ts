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
   * Names of the tools that this session has, for `gates.missing` and for diagnostics about gates.
   */
  readonly availableTools?: Iterable<string> | undefined;
  /**
   * `session.kept` of an earlier request of the same conversation, as it was stored. It may come
   * from a client: it grants nothing.
   */
  readonly kept?: unknown;
  /**
   * Called with each diagnostic of this session, besides `onDiagnostic` of the skillset. What it
   * throws is ignored.
   */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
