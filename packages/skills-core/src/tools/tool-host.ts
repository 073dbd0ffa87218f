import type { CatalogFitter } from '../catalog/catalog-budget.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { Skill, SkillDiagnostic, SkillMetadata, SkillProvider, SkillResource } from '../contract/skill-provider.ts';
import type { SessionEvents } from '../events/session-events.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import type { Audience } from '../policy/audience.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import type { SkillActivation, SkillState } from '../state/skill-state.ts';
import type { SkillToolDescription } from './describe-tool.ts';
import type { PresentListing } from './pinned/present-listing.ts';
import type { SkillDoors, SkillInUse } from './pinned/skill-doors.ts';
import type { SkillTool } from './skill-tool.ts';

/** How much of a skill's files may be read. */
export interface SkillReadLimits {
  /** Most bytes to fetch of one file. @default 4 MiB */
  readonly maxResourceBytes: number;
  /** Most characters (UTF-16 units) in one answer. @default 20000, about 5,000 tokens */
  readonly maxResourceCharacters: number;
}

/** What a tool may ask of its session. */
export interface SkillToolHost {
  readonly names: SkillToolNames;
  readonly catalog: SkillCatalog;
  readonly limits: SkillReadLimits;
  /** The ways to bodies and files of skills. */
  readonly doors: SkillDoors;
  /** What the host allows this request. */
  readonly audience: Pick<Audience, 'mayDo' | 'assertAllowed'>;
  readonly events: SessionEvents;
  /** Whether people approve skills here. */
  readonly asksPerson: boolean;
  readonly provider: SkillProvider;
  /** What the source has at this moment. */
  readonly present: PresentListing;
  /** Names the conversation, if the host told. */
  readonly conversation: string | undefined;
  readonly activation: SkillActivation;
  /**
   * @param asked the call as a person is asked about it, which takes the answer. @default `call`
   * @throws {SkillError} if a gate or `allowed-tools` of a loaded skill forbid this call, or if a
   *   person must be asked
   */
  assertCallAllowed(state: SkillState, call: AllowedToolCall, asked?: AllowedToolCall): Promise<void>;
}

/**
 * What an option of the host adds: a tool for a session, and what a model is told of it before one
 * is opened.
 */
export interface AddedTool<Context = never> {
  tool(host: SkillToolHost, context: Context): SkillTool;
  describeTool(names: SkillToolNames): SkillToolDescription;
}

/**
 * How a model finds skills in a large library: `skillDiscovery(search)` of
 * `@repertoire/skills-core` makes it. A host without it carries none of it.
 */
export interface SkillDiscovery extends CatalogFitter, AddedTool {}

/**
 * What a skillset does with the scripts of skills: `skillScripts(runner)` of
 * `@repertoire/skill-runner/scripts` makes it. A host that runs no scripts carries none of it.
 */
export interface SkillScripts extends AddedTool {
  /**
   * What stands behind the body of a skill: its scripts and how to run them. Empty if it has none.
   */
  describe(host: SkillToolHost, use: SkillInUse, signal: AbortSignal | undefined): Promise<string>;
  /** Whether a body has commands that would run, if the skill may run them. */
  hasSnippets(skill: Skill): boolean;
  /** The body with its commands replaced by their output, and with its arguments. */
  expand(host: SkillToolHost, use: SkillInUse, given: string | undefined, signal: AbortSignal | undefined): Promise<ExpandedBody>;
  /**
   * The body with its arguments and a note in place of each command, for a text that nothing runs
   * for: restored, or in the system prompt.
   */
  withoutOutput(skill: Skill, given: string | undefined, place: 'restored' | 'system-prompt'): string;
}

/** A body whose commands ran. */
export interface ExpandedBody {
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}

/**
 * What a skillset does with skills that say their steps: `skillWorkflows({ tools })` of
 * `@repertoire/skill-workflow` makes it. A host that runs no workflows carries none of it.
 */
export interface SkillWorkflows extends AddedTool {
  /** The steps of a skill and how to run them. Empty if it has none. */
  describe(host: SkillToolHost, skill: Skill): string;
}

/**
 * What a skillset does with skills that a model proposes: `skillProposals({ store })` of
 * `@repertoire/skill-proposals` makes it. A host that takes no proposals carries none of it. Its
 * tool must not change what any session sees.
 */
export type SkillProposals<Context = undefined> = AddedTool<Context>;

/**
 * What a host does at the moments when a model gets something of a skill or ends one:
 * `skillHooks({ … })` of `@repertoire/skills-core` makes it. A host without hooks carries none of
 * it.
 */
export interface SkillHooks<Context = undefined> {
  /** The hooks of one session. */
  open(context: Context, events: SessionEvents): SessionHooks;
}

/** The hooks of one session. Each method rejects with a `SkillError` if a hook refuses or fails. */
export interface SessionHooks {
  /**
   * A skill whose instructions are about to be given, with its arguments: as the hooks change them.
   */
  load(request: HookedLoad, signal: AbortSignal | undefined): Promise<HookedLoad>;
  /** The path of a file that is about to be read. */
  path(skill: SkillMetadata, path: string, signal: AbortSignal | undefined): Promise<string>;
  /** A file that is about to be given. */
  file(skill: SkillMetadata, file: SkillResource, signal: AbortSignal | undefined): Promise<SkillResource>;
  /** The text that answers that a skill has ended. */
  unload(skill: SkillMetadata, text: string, signal: AbortSignal | undefined): Promise<string>;
}

/** A skill that is about to be given to a model. */
export interface HookedLoad {
  readonly skill: Skill;
  readonly arguments?: string | undefined;
}
