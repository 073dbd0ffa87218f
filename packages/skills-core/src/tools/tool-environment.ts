import type { CatalogFitter } from '../catalog/catalog-fitter.ts';
import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillSurface } from '../catalog/surface/surface-of.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { Skill, SkillDiagnostic, SkillMetadata, SkillProvider, SkillResource } from '../contract/skill-provider.ts';
import type { SkillActivity, SkillIdentity } from '../events/skill-activity.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import type { PresentSkills } from '../policy/in-force.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import type { VersionResolver } from '../providers/versions/version-resolver.ts';
import type { SkillRefreshPolicy } from '../state/refresh.ts';
import type { SkillActivation, SkillState } from '../state/skill-state.ts';
import type { OpenedApprovals } from './approvals/session-approvals.ts';
import type { RememberedContents } from './pinned/remembered-contents.ts';
import type { SkillInUse } from './pinned/skill-in-use.ts';
import type { SkillToolDescription } from './describe-tool.ts';
import type { SkillTool } from './skill-tool.ts';

/** How much of a skill's files may be read. */
export interface SkillReadLimits {
  /** Most bytes to fetch of one file. @default 4 MiB */
  readonly maxResourceBytes: number;
  /** Most characters (UTF-16 units) in one answer. @default 20000, about 5,000 tokens */
  readonly maxResourceCharacters: number;
}

/**
 * What an option of the host adds: a tool for a session, and what a model is told of it before one
 * is opened.
 */
export interface AddedTool<Context = never> {
  tool(environment: ToolEnvironment, context: Context): SkillTool;
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
  describe(environment: ToolEnvironment, use: SkillInUse, signal: AbortSignal | undefined): Promise<string>;
  /** Whether a body has commands that would run, if the skill may run them. */
  hasSnippets(skill: Skill): boolean;
  /** The body with its commands replaced by their output, and with its arguments. */
  expand(environment: ToolEnvironment, use: SkillInUse, given: string | undefined, signal: AbortSignal | undefined): Promise<ExpandedBody>;
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
  describe(environment: ToolEnvironment, skill: Skill): string;
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
  open(context: Context, host: Pick<ToolEnvironment, 'emit' | 'report'>): SessionHooks;
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

/** What the tools of one session share. */
export interface ToolEnvironment {
  readonly provider: SkillProvider;
  readonly catalog: SkillCatalog;
  /** What the source has at this moment. */
  readonly present: SessionSkills;
  /** What was loaded, as it was. */
  readonly contents: RememberedContents;
  /** Changes that the host was told of in this session. */
  readonly toldChanges: Set<string>;
  readonly names: SkillToolNames;
  readonly limits: SkillReadLimits;
  /** Name of the tool that reads a listed file; the text of a loaded skill mentions it. */
  readonly fileReader: string;
  /**
   * What runs scripts, or what the host says of them in one sentence. @default they can be read,
   * not run
   */
  readonly scripts?: SkillScripts | string | undefined;
  readonly hooks?: SessionHooks | undefined;
  /** Names the conversation, if the host told. */
  readonly conversation: string | undefined;
  /** What people approved. @default nobody is asked, and trust decides */
  readonly approvals?: OpenedApprovals | undefined;
  readonly refresh?: SkillRefreshPolicy | undefined;
  readonly activation: SkillActivation;
  /** Whether `audience` says which skills there are, so that an earlier answer proves nothing. */
  readonly asksHost: boolean;
  /** Whether a skill exists for this request; asked again of what is about to be given. */
  isSelected(skill: SkillMetadata): boolean;
  /** Which of a skill's versions a range means; `undefined` for none. */
  readonly resolveVersion: VersionResolver;
  /** Where a skill's line and its body stand. */
  surfaceOf(skill: SkillMetadata): SkillSurface;
  /** What stands behind the body of a skill that has steps; empty where nothing runs them. */
  describeWorkflow(skill: Skill): string;
  /** Estimates the tokens of a text. */
  countTokens(text: string): number;
  /** Whether the host allows it, without telling anyone. */
  mayDo(action: 'load' | 'read', skill: SkillMetadata, path?: string): Promise<boolean>;
  /** @throws {SkillError} `permission-denied` if the host does not allow it */
  assertAllowed(action: 'load' | 'read', skill: SkillMetadata, path?: string): Promise<void>;
  /**
   * @param asked the call as a person is asked about it, which takes the answer. @default `call`
   * @throws {SkillError} if a gate or `allowed-tools` of a loaded skill forbid this call, or if a
   *   person must be asked
   */
  assertCallAllowed(state: SkillState, call: AllowedToolCall, asked?: AllowedToolCall): Promise<void>;
  emit(activity: SkillActivity): void;
  /** Whether there is a listener for what is emitted. */
  readonly hasListener: boolean;
  report(diagnostic: SkillDiagnostic): void;
}

/** What the source has, as a session asks for it. */
export interface SessionSkills extends PresentSkills {
  /** Whether the listing is everything that the source has. */
  readonly isComplete: boolean;
  /** A skill that was just loaded: what is known of it by then is no older than this. */
  seen(skill: SkillMetadata, content: string | null): void;
}

/** What events and spans tell of a skill. */
export type NamedSkill = Pick<SkillMetadata, 'name' | 'version' | 'origin'>;

/** What names a skill in events. */
export function identityOf(skill: NamedSkill): SkillIdentity {
  return {
    skill: skill.name,
    version: skill.version,
    ...(skill.origin !== undefined && { source: skill.origin.label }),
    trusted: isTrusted(skill),
  };
}

/** What a span tells of a skill. */
export function spanAttributes(skill: NamedSkill): Readonly<Record<string, string | boolean | undefined>> {
  return {
    'skill.name': skill.name,
    'skill.version': skill.version ?? undefined,
    'skill.source': skill.origin?.label,
    'skill.trusted': isTrusted(skill),
  };
}
