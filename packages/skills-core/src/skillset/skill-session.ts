import type { SkillCatalog } from '../catalog/skill-catalog.ts';
import type { SkillCallOptions, SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import type { AllowedToolCall } from '../policy/allowed-tools/matches-allowed-tool.ts';
import type { SkillFork } from '../policy/fork.ts';
import type { SkillCallVerdict } from '../policy/skill-call-verdict.ts';
import type { SkillEvent, SkillState } from '../state/skill-state.ts';
import type { SkillTranscriptEntry } from '../state/transcript-entry.ts';
import type { SessionInside } from '../tools/activation/lost-texts.ts';
import type { SessionApprovals } from '../tools/approvals/session-approvals.ts';
import type { SkillTool, SkillToolContext, SkillToolResult } from '../tools/skill-tool.ts';
import type { KeptSession } from './session-catalog.ts';

/** A skill that the host loads by itself. */
export interface LoadRequest {
  readonly name: string;
  /** A version or a range. @default the newest */
  readonly version?: string | undefined;
  readonly arguments?: string | undefined;
}

/**
 * What one conversation, or one stateless request, sees of a skillset. It is read from the source
 * when it is opened, and it is immutable; it remembers nothing of the conversation. Adapters are
 * translations of it.
 */
export interface SkillSession {
  /** Level 1 and its texts, as plain JSON. */
  readonly catalog: SkillCatalog;
  /**
   * Diagnostics of the source and of the host's options. They are also passed to `onDiagnostic`.
   */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** What to keep between requests, if anything; give it to the next `skillset.open({ kept })`. */
  readonly kept: KeptSession;
  /**
   * The skill tools; none if there is nothing that could be loaded or read. Their order never
   * changes.
   */
  readonly tools: readonly SkillTool[];

  /**
   * The system prompt with the catalog at its end. The same base and catalog give the same bytes.
   * @default no base
   */
  instructions(base?: string): string;
  /**
   * The instructions that stand in the system prompt under
   * `surface: { instructions: 'with-catalog' }`; else empty. In place of those that changed, are
   * gone or cannot be read stands one sentence.
   */
  activeInstructions(state: SkillState, options?: SkillCallOptions): Promise<string>;

  /**
   * The state of a conversation, from its finished tool calls, oldest first.
   *
   * @param saved the state as a server stored it, which then decides what is loaded; the transcript
   *   only shows what still stands in the context
   */
  state(transcript: readonly SkillTranscriptEntry[], saved?: SkillState): SkillState;
  /** The state after these events, by the skillset's `activation`. */
  apply(state: SkillState, events: readonly SkillEvent[]): SkillState;
  /**
   * Level 1 of the loaded skills that are in force: what the source has now is what was loaded, and
   * it is permitted now. What a state claims beyond that has no effect.
   *
   * @throws {SkillError} what the source rejects with if it cannot answer
   */
  active(state: SkillState): Promise<readonly SkillMetadata[]>;
  /**
   * The model that the loaded skills ask for; `undefined` if none does, and while the source cannot
   * be asked.
   */
  model(state: SkillState): Promise<string | undefined>;

  /**
   * Asks people, if the skillset has `approvals`.
   */
  readonly approvals?: SessionApprovals | undefined;
  /** Whether `allowed-tools` of loaded skills can forbid calls of any tool. */
  readonly restricts: boolean;
  /**
   * Whether `audience.tools` of the skillset leaves a tool out: it is not to be shown, and its
   * calls are denied.
   */
  isHidden(tool: string): boolean;
  /** Whether `allowed-tools` of loaded skills can spare a person the approval of a call. */
  readonly preApproves: boolean;
  /** Whether a tool is closed until a skill opens it. */
  isGated(tool: string): boolean;
  /** Names of the skills that a model could load to open a tool. */
  openedBy(tool: string): readonly string[];
  /**
   * Judges a call of a tool of the host: whether its gate is open, and what `allowed-tools` of the
   * loaded skills say, and whether a person must be asked (`approvals`), also about a skill tool.
   * Call it before every call, in the tool's own execution. It asks `permissions` again.
   *
   * @param options `canFork`: as the caller says it to the skill tools, so that a refusal does not
   *   send a model to load a skill that runs elsewhere
   */
  judgeCall(state: SkillState, call: AllowedToolCall, options?: Pick<SkillToolContext, 'canFork'>): Promise<SkillCallVerdict>;
  /**
   * The tools that a model sees where closed ones are hidden: those that never close, then the open
   * ones, in the order in which the skills that open them were loaded. What `allowed-tools` forbid
   * is a matter of the single call, and hides nothing.
   *
   * @param names the agent's tools, in the order in which a model would see them
   */
  visibleTools(names: readonly string[], state: SkillState): Promise<readonly string[]>;

  /**
   * Loads a skill for the host, as if the model had: what a graph's own node does. Skills that are
   * closed to models can be loaded.
   */
  load(request: LoadRequest, context: SkillToolContext): Promise<SkillToolResult>;
  /**
   * Loads the skill that a person typed as `/name arguments`; `null` if the text is no such
   * command.
   */
  invoke(text: string, context: SkillToolContext): Promise<SkillToolResult | null>;
  /**
   * Whether changed skills are loaded again: `contentChange: 'renew'`. See `renewSkills` of
   * `/adapter`.
   */
  readonly renewsChanged: boolean;
  /**
   * Length of a text in a conversation, as a transcript's `at` and a turn's `tokens` count it:
   * tokens if anything is ever repeated, else a rough figure that costs nothing.
   */
  lengthOf(text: string): number;
  /** Whether anything is ever repeated. */
  readonly refreshes: boolean;
  /** What `restoreSkills`, `renewSkills` and bridges use. It promises nothing. */
  readonly inside: SessionInside;

  /**
   * The same session, in which these skills also bring tools of their own, which are always gated.
   * By the name of the skill.
   */
  withToolsOfSkills(toolsOfSkills: ReadonlyMap<string, readonly string[]>): SkillSession;
  /**
   * Sessions for the agent of a forked skill, which counts as loaded there. `alone`: it sees that
   * skill and no other. `beside`: it sees all skills of this session.
   */
  inFork(fork: SkillFork): { readonly alone: SkillSession; readonly beside: SkillSession };
}
