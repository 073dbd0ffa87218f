import type { Skill, SkillCallOptions, SkillDiagnostic, SkillMetadata } from '../../contract/skill-provider.ts';
import type { SkillActivity } from '../../events/skill-activity.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import type { SkillGrants } from '../../policy/approvals/skill-grants.ts';
import type { PresentSkills } from '../../policy/held/present-skills.ts';
import type { SkillCallVerdict } from '../../policy/skill-call-verdict.ts';
import type { SkillTool } from '../skill-tool.ts';
import type { LoadedSkill, SkillActivation, SkillState } from '../../state/skill-state.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { RememberedContents } from '../held/remembered-contents.ts';
import type { SkillAnswer, SkillQuestion } from '../../policy/approvals/skill-question.ts';

/**
 * The approvals of a skillset: `skillApprovals({ … })` of `@repertoire/skills-core` makes it. A
 * host without approvals carries none of it.
 */
export interface SkillApprovals<Context = undefined> {
  /** Whether calls of a tool of the host are asked about while a skill stands in the context. */
  isCodeTool(tool: string): boolean;
  /** @throws {SkillError} `invalid-options` for options of the skillset that it cannot work with */
  assertFits(options: { readonly activation?: SkillActivation | undefined }): void;
  /** The approvals of one session. */
  open(context: Context, host: ApprovalHost): SessionApprovals;
}

/** What approvals need of their session. */
export interface ApprovalHost {
  readonly names: SkillToolNames;
  readonly contents: RememberedContents;
  emit(activity: SkillActivity): void;
  report(diagnostic: SkillDiagnostic): void;
  /** What the source has at this moment. */
  present(): PresentSkills;
}

/** A load that is about to happen. */
export interface ApprovalOfLoad extends SkillCallOptions {
  readonly skill: Skill;
  readonly content: string | null;
  readonly arguments: string | undefined;
  readonly state: SkillState;
  readonly callId?: string | undefined;
  /** The load is only asked about. @default false */
  readonly onlyAsk?: boolean | undefined;
}

/** What a person said of a load. */
export interface ApprovedLoad {
  readonly grants: SkillGrants;
  /**
   * Names the record of the answer, for the state; a state that names none has only what is
   * remembered for the content.
   */
  readonly approval?: string | undefined;
}

/**
 * The approvals of one session. What is asked before a call comes from `session.judgeCall`; an
 * adapter carries the question to a person and brings the answer back.
 */
export interface SessionApprovals {
  /** Whether calls of a tool of the host may be asked about. */
  isCodeTool(tool: string): boolean;
  /** The grants of one content. A failing store grants nothing. */
  grantsOf(skill: SkillMetadata, content: string | null | undefined, loaded?: LoadedSkill): Promise<SkillGrants>;
  /**
   * @throws {SkillError} `needs-approval` with a question, `permission-denied` if a person said
   *   never
   */
  load(request: ApprovalOfLoad): Promise<ApprovedLoad>;
  /**
   * @throws {SkillError} `needs-approval` if files of a skill are read before it is loaded, or
   *   across sources
   */
  use(skill: Skill, loaded: LoadedSkill | undefined, context: ReadContext): Promise<void>;
  /**
   * @throws {SkillError} `permission-denied` while the text of the skill makes calls of code tools
   *   a question
   */
  unload(name: string, state: SkillState): Promise<void>;
  /**
   * The verdict on a call that a person must be asked about; `undefined` for any other. Whoever
   * asks about a call of the host makes it after a yes.
   *
   * @param tool the skill tool that is called, if it is one
   */
  judge(state: SkillState, call: AllowedToolCall, tool: SkillTool | undefined): Promise<SkillCallVerdict | undefined>;
  /**
   * @throws {SkillError} `needs-approval` if the instructions and files of a loaded skill may not
   *   be shown any more
   */
  assertShown(skill: string, grants: SkillGrants): void;
  /** A skill as those see it who open what it brings. */
  asBringer<Known extends SkillMetadata>(skill: Known, grants: SkillGrants): Known;
  /**
   * Records an answer. It does nothing if the answer names another question.
   *
   * @param callId id of the call that was asked about
   * @returns whether the call may be made
   * @throws what the store rejects with
   */
  answer(question: SkillQuestion, answer: SkillAnswer, callId: string | undefined): Promise<boolean>;
  /** Remembers that a framework asks a person about a call, and runs the call only after a yes. */
  expect(question: SkillQuestion, callId: string | undefined): Promise<void>;
  /** Whether a framework asked exactly this about this call: it counts as `once`, one time. */
  confirm(question: SkillQuestion, callId: string | undefined): Promise<boolean>;
}

/** The call that reads a file. */
export interface ReadContext extends SkillCallOptions {
  readonly state: SkillState;
  readonly tool: string;
  readonly input: unknown;
  readonly callId?: string | undefined;
  readonly onlyAsk?: boolean | undefined;
}
