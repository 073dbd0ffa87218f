import type { SkillCallOptions, SkillDiagnostic } from '../contract/skill-provider.ts';

/** What a session is opened for. */
export interface OpenRequest<Context = undefined> extends SkillCallOptions {
  /** What `select` and `permissions` are to know: the tenant, the role. */
  readonly context?: Context | undefined;
  /** Names of the tools that this session has, for `gates.missing` and for diagnostics about gates. */
  readonly availableTools?: Iterable<string> | undefined;
  /** `session.kept` of an earlier request of the same conversation, as it was stored. It may come from a client: it grants nothing. */
  readonly kept?: unknown;
  /** Called with each diagnostic of this session, besides `onDiagnostic` of the skillset. What it throws is ignored. */
  readonly onDiagnostic?: ((diagnostic: SkillDiagnostic) => void) | undefined;
}
