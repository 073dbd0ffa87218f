import type { FileChanges } from '../contract/changed-files.ts';
import type { SkillCatalogCut } from '../catalog/skill-catalog.ts';
import type { SkillRunResult } from '../contract/skill-runner.ts';
import type { SkillErrorCode } from '../errors/skill-error.ts';

/** What happens to skills, for logs and metrics. The names are public API. */
export type SkillActivity =
  /** The texts of a catalog were made. What the budget cut is told by name. */
  | ({ readonly type: 'catalog_built'; readonly skills: number; readonly tokens: number } & SkillCatalogCut)
  /** The model searched for skills: the names that it was shown, best first. */
  | { readonly type: 'skills_searched'; readonly candidates: readonly string[]; readonly mode: 'words' | 'hybrid' }
  /** A skill was loaded: by whom, estimated tokens, and SHA-256 of the text. */
  | ({ readonly type: 'skill_loaded'; readonly by: SkillActor; readonly tokens: number; readonly digest: string } & SkillIdentity)
  /** A skill runs in an agent of its own. */
  | ({ readonly type: 'skill_forked'; readonly by: SkillActor; readonly tokens: number; readonly digest: string } & SkillIdentity)
  /** A skill that stands in the context unchanged was asked for again. */
  | ({ readonly type: 'skill_already_active'; readonly by: SkillActor } & SkillIdentity)
  /** A skill's text was restored after a compaction, or refreshed. */
  | ({ readonly type: 'skill_restored'; readonly tokens: number; readonly cut: boolean; readonly digest: string } & SkillIdentity)
  | ({ readonly type: 'skill_unloaded' } & SkillIdentity)
  /**
   * A loaded skill is not what its source has now: another content, no skill at that place, another
   * trust, or a state of an earlier version. `from` and `to` are contents; `to` is `null` where
   * there is none. `files` is `null` where the list of the loaded files is not remembered.
   */
  | ({
      readonly type: 'skill_changed';
      readonly reason: 'content' | 'gone' | 'trust' | 'older-state';
      readonly from: string | null;
      readonly to: string | null;
      readonly files: SkillChangedFiles | null;
    } & SkillIdentity)
  /** The host loaded the new content of a changed skill by itself, see `contentChange`. */
  | ({ readonly type: 'skill_renewed' } & SkillIdentity)
  /**
   * A file was read: how many bytes of it were fetched, and the SHA-256 of the text that the model
   * got. `pinned`: the bytes are those of the loaded content; not so for an unpinned skill, and for
   * one that is not loaded.
   */
  | ({
      readonly type: 'resource_read';
      readonly path: string;
      readonly bytes: number;
      readonly digest: string;
      readonly pinned: boolean;
    } & SkillIdentity)
  /** A script ran: how it ended and was confined, its duration, and the digest of the files. */
  | ({
      readonly type: 'script_run';
      readonly path: string;
      readonly exitCode: number | null;
      readonly endedBy: SkillRunResult['endedBy'];
      /** `confinement.kind` of the run, such as `bubblewrap` or `none`. */
      readonly confinement: string;
      readonly durationMs: number;
      readonly digest: string;
    } & SkillIdentity)
  /** The workflow of a skill ran; with the code of the error that ended it, if one did. */
  | ({ readonly type: 'workflow_run'; readonly error?: SkillErrorCode | undefined } & SkillIdentity)
  /** The model proposed a new skill, or a change of one. Nothing that a session sees changed. */
  | { readonly type: 'skill_proposed'; readonly skill: string; readonly proposal: string }
  /** The host's permission hook said no. */
  | ({ readonly type: 'skill_denied'; readonly action: 'load' | 'read'; readonly reason: string } & SkillIdentity)
  /** A person is asked about a content or a call, with the grants that a yes gives. */
  | ({
      readonly type: 'skill_approval_requested';
      readonly question: string;
      readonly kind: 'load' | 'call' | 'read';
    } & SkillApprovalActivity)
  /** A person said yes: for how long. */
  | ({
      readonly type: 'skill_approval_given';
      readonly question: string;
      readonly answer: 'once' | 'conversation' | 'content';
    } & SkillApprovalActivity)
  /** An answer for a content ended: its source has another one, or a person said never. */
  | ({ readonly type: 'skill_approval_revoked'; readonly reason: 'changed' | 'never' } & SkillApprovalActivity)
  /** A skill tool answered with an error. */
  | { readonly type: 'skill_failed'; readonly tool: string; readonly code: SkillErrorCode; readonly message: string };

/** What an approval is about. */
export interface SkillApprovalActivity extends SkillIdentity {
  readonly content: string | null;
  readonly grants: readonly string[];
}

/** Paths of the files that differ between two contents, in order; `SKILL.md` is not among them. */
export type SkillChangedFiles = FileChanges;

/** Who asked: the model by a tool, a person by `/name`, or the host in code. */
export type SkillActor = 'model' | 'user' | 'host';

/** Which skill. */
export interface SkillIdentity {
  readonly skill: string;
  readonly version: string | null;
  /** Label of its source. */
  readonly source?: string | undefined;
  readonly trusted: boolean;
}

/** Called for each activity. What it throws is ignored: a broken logger must not break an agent. */
export type SkillActivityListener = (activity: SkillActivity) => void;
