import { isTrusted } from '../../contract/is-trusted.ts';
import type { Skill, SkillCallOptions, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { SessionEvents } from '../../events/session-events.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import { asBringer, grantsByTrust, type SkillGrant, type SkillGrants } from '../../policy/approvals/skill-grants.ts';
import {
  UnansweredCall,
  type AskedAbout,
  type AskedChanges,
  type AskedSkill,
  type SkillAnswer,
  type SkillQuestion,
} from '../../policy/approvals/skill-question.ts';
import { inForce, type LoadedLook, type PresentSkills } from '../../policy/in-force.ts';
import type { SkillCallVerdict } from '../../policy/skill-call-verdict.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import type { SkillToolNames, SkillToolRole } from '../../prompt/tool-names.ts';
import type { JsonObject } from '../../contract/json-object.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillState } from '../../state/skill-state.ts';
import type { RememberedContents } from '../pinned/remembered-contents.ts';
import type { SkillTool } from '../skill-tool.ts';
import { filesSince } from '../files-since.ts';
import { approvalKey, approvalRecord, grantsIn, isAbout, RecordedQuestions, type SkillApprovalStore } from './approval-records.ts';
import {
  activityOf,
  askedLoad,
  askedLoaded,
  askedSkill,
  lineDiff,
  questionWithId,
  shownQuestion,
  type Unasked,
  whatItAsks,
} from './questions.ts';

/** What approvals need of their session. */
export interface ApprovalHost {
  readonly names: SkillToolNames;
  readonly contents: RememberedContents;
  /** Names the conversation, if the host told. */
  readonly conversation: string | undefined;
  readonly events: SessionEvents;
  /** What the source has at this moment. */
  present(): PresentSkills;
}

/** The options of `skillApprovals`, for one context. */
export interface ApprovalSettings {
  readonly store: SkillApprovalStore;
  readonly scope: string;
  readonly codeTools: readonly string[];
  isCodeTool(tool: string): boolean;
  needed(skill: SkillMetadata): readonly SkillGrant[];
  askWhom(question: Omit<Unasked, 'whom'>): SkillQuestion['whom'];
  readonly signerOf: ((skill: Skill) => string | undefined | Promise<string | undefined>) | undefined;
  now(): Date;
}

/** A call that may need an answer. */
interface AskingCall extends SkillCallOptions {
  readonly state: SkillState;
  readonly callId?: string | undefined;
  /**
   * It is only judged, and not made: no question is recorded, and no answer taken. @default false
   */
  readonly onlyAsk?: boolean | undefined;
}

/** A load that is about to happen. */
export interface ApprovalOfLoad extends AskingCall {
  readonly skill: Skill;
  readonly content: string | null;
  readonly arguments: string | undefined;
}

/** A read of a file that is about to happen. */
export interface ApprovalOfRead extends AskingCall {
  readonly tool: string;
  readonly input: unknown;
}

/** What was answered about a load. */
export interface ApprovedLoad {
  readonly grants: SkillGrants;
  /**
   * Names the answer, for the state; a state that names none has only what is remembered for the
   * content.
   */
  readonly approval?: string | undefined;
}

/**
 * Asking, answering and taking: for a loop of one's own and for adapters. Everything that a
 * question is about stands in its record in the store, so that each of the three may happen in
 * another session or process.
 */
export interface SessionApprovals {
  /** Whether calls of a tool of the host may be asked about. */
  isCodeTool(tool: string): boolean;
  /**
   * Records that somebody is asked about a call, before the question is shown. It changes nothing
   * if that was asked already. Besides it, only a skill tool that is executed without an answer
   * records a question, which its result has.
   *
   * @returns the question; `undefined` if there is nothing to ask
   */
  ask(state: SkillState, call: AllowedToolCall): Promise<SkillQuestion | undefined>;
  /** A question as it was asked, whole; `undefined` if nobody asked it, or it was answered. */
  question(id: string): Promise<SkillQuestion | undefined>;
  /**
   * Answers a question that was asked of the person who chats, once.
   *
   * @param by who answered, as the host names people; at most 200 characters
   * @returns whether it was a yes to a question that is known
   * @throws what the store rejects with when it should keep the answer
   */
  answer(id: string, answer: SkillAnswer, by?: string): Promise<boolean>;
  /**
   * Takes the answer to a question about a call of a tool of the host: of several at once, one gets
   * `true`. Call it right before that call. Skill tools take their answers themselves.
   */
  take(id: string): Promise<boolean>;
  /**
   * For adapters: a framework asked a person by itself, and brings a yes and nothing else. It
   * counts once, for what was asked first about its call, and gives `load` or that one call.
   *
   * @returns whether the call may be made now
   */
  confirm(id: string): Promise<boolean>;
}

/** These answer with a question before they do anything. */
const askedRoles: ReadonlySet<SkillToolRole> = new Set(['load', 'readFile', 'loadResource', 'loadAsset']);

/** The one place where a session asks what people approved. */
export class OpenedApprovals {
  readonly #settings: ApprovalSettings;
  readonly #host: ApprovalHost;
  readonly #questions: RecordedQuestions;

  constructor(settings: ApprovalSettings, host: ApprovalHost) {
    const failed = (thrown: unknown): void =>
      host.events.report({
        code: 'approval-store-failed',
        severity: 'warning',
        message: `The store of approvals failed: ${String(thrown)}. What a person approved does not count until it answers.`,
        fix: 'Look at `store` of skillApprovals.',
      });
    this.#settings = settings;
    this.#host = host;
    this.#questions = new RecordedQuestions({
      ...settings,
      conversation: host.conversation ?? null,
      emit: (activity) => host.events.emit(activity),
      failed,
    });
  }

  /** @param judge judges a call of the session that these approvals are for */
  forSession(judge: (state: SkillState, call: AllowedToolCall) => Promise<SkillCallVerdict>): SessionApprovals {
    const questions = this.#questions;
    const take = async (id: string): Promise<boolean> => (await questions.takeAnswer(id, false)) !== undefined;
    return {
      isCodeTool: (tool) => this.#settings.isCodeTool(tool),
      ask: async (state, call) => {
        const verdict = await judge(state, call);
        if (verdict.decision !== 'needs-approval') return undefined;
        return verdict.error instanceof UnansweredCall ? await questions.record(verdict.error) : verdict.question;
      },
      question: (id) => questions.find('person', id),
      answer: (id, given, by) => questions.answer('person', id, given, by),
      take,
      confirm: async (id) => {
        // It was answered by name already, for this call.
        if ((await questions.standing(id)) !== undefined || (await take(id))) return true;
        const asked = await questions.find('person', id, true);
        if (asked === undefined) return false;
        const isLoad = asked.kind === 'load';
        if (!(await questions.answer('person', id, { answer: 'once', ...(isLoad && { grants: ['load'] }) }, undefined))) return false;
        return this.#isSkillTool(asked.tool) || (await take(id));
      },
    };
  }

  /** The grants of one content, without a question. A failing store grants nothing. */
  async grantsOf(skill: SkillMetadata, content: string | null | undefined, loaded?: LoadedSkill): Promise<SkillGrants> {
    if (this.#settings.needed(skill).length === 0) return grantsByTrust(skill);
    const record = await this.#remembered(skill, content);
    if (record?.['never'] === true) return new Set();
    return this.#granted(skill, content, record, await this.#loadedBy(skill, content, loaded));
  }

  /**
   * Judges a load by what was answered before, or asks.
   *
   * @throws {SkillError} `needs-approval` with a question, `permission-denied` if a person said
   *   never
   */
  async load(request: ApprovalOfLoad): Promise<ApprovedLoad> {
    const { skill, content, state, onlyAsk = false } = request;
    const needs = this.#settings.needed(skill);
    if (needs.length === 0) return { grants: grantsByTrust(skill) };
    const asks = whatItAsks(skill).filter(({ grant }) => needs.includes(grant) && (content !== null || grant === 'load'));
    if (asks.length === 0) return { grants: this.#granted(skill, content) };
    const refused = (): SkillError => new SkillError('permission-denied', approvalTexts.refused(skill.name), { skill: skill.name });
    const record = await this.#remembered(skill, content);
    if (record?.['never'] === true) throw refused();
    const loaded = loadedSkill(state, skill.name);
    const standing = await this.#loadedBy(skill, content, loaded);
    const lasting = standing?.['once'] === true ? undefined : standing;
    const before = this.#granted(skill, content, record, lasting);
    const isAnswered = (record !== undefined || lasting !== undefined) && before.has('load');
    // Loaded with less than it asks for, it is loaded again to ask for the rest.
    const again = isAnswered && loaded !== undefined && asks.some(({ grant }) => !before.has(grant));
    if (isAnswered && !again) return { grants: before, approval: lasting && loaded?.approval };

    const unanswered = await this.#askLoad(request, asks, { again, isRemembered: record !== undefined });
    const answer = await this.#answerTo(unanswered, onlyAsk);
    const grants = this.#granted(skill, content, record, lasting, answer);
    if (!grants.has('load')) throw refused();
    if (onlyAsk) return { grants };
    return answer['answer'] === 'content'
      ? { grants }
      : { grants, approval: await this.#keepLoad(request, unanswered.question, this.#granted(skill, content, lasting, answer), answer) };
  }

  /**
   * Judges a read of a skill that is not loaded: of a loaded one it was asked when it was loaded.
   *
   * @param call without it, as for a list or a host that has no conversation, only the skill is
   *   judged
   * @returns what it may do
   * @throws {SkillError} `needs-approval` if files of a skill are read before it is loaded, or
   *   across sources
   */
  async read(skill: SkillMetadata, call?: ApprovalOfRead): Promise<SkillGrants> {
    const grants = await this.grantsOf(skill, skill.content);
    if (!grants.has('load') || (this.#asksAboutTools && !grants.has('code-tools')))
      throw new SkillError('needs-approval', approvalTexts.loadFirst(skill.name, this.#host.names.load), { skill: skill.name });
    if (call === undefined) return grants;
    const { state, tool, input, onlyAsk = false } = call;
    const target = askedSkill(skill, skill.content ?? null);
    // The text of a loaded skill of another source may have asked for the read.
    const others = (await this.#looks(state)).flatMap(({ name, skill: now }): readonly AskedSkill[] => {
      const entry = loadedSkill(state, name);
      const needsPerson = now === undefined ? entry?.untrusted === true : this.#settings.needed(now).length > 0;
      return entry !== undefined && needsPerson && entry.source !== target.source ? [askedLoaded(name, entry)] : [];
    });
    if (others.length === 0) return grants;
    const skills = [...others, target];
    const asked = { kind: 'read', tool, input, skills, grants: [], canRemember: false } as const;
    await this.#answerTo(this.#unansweredCall(asked, call.callId, {}), onlyAsk);
    return grants;
  }

  /**
   * Ends what was answered for a load that ends.
   *
   * @throws {SkillError} `permission-denied` while the text of the skill makes calls of code tools
   *   a question
   */
  async unload(name: string, state: SkillState): Promise<void> {
    if (this.#asksAboutTools && (await this.#lacking(state)).some(({ skill }) => skill.name === name))
      throw new SkillError('permission-denied', approvalTexts.staysLoaded(name), { skill: name });
    const approval = loadedSkill(state, name)?.approval;
    if (approval !== undefined) await this.#questions.delete(this.#loadKey(approval));
  }

  /**
   * The verdict on a call that a person must be asked about; `undefined` for any other. It records
   * nothing.
   *
   * @param tool the skill tool that is called, if it is one
   */
  async judge(state: SkillState, call: AllowedToolCall, tool: SkillTool | undefined): Promise<SkillCallVerdict | undefined> {
    const isAsked = tool !== undefined && askedRoles.has(tool.role);
    const error = isAsked
      ? (await tool.execute(call.input, { state, callId: call.id, onlyAsk: true })).error
      : await this.#askCall(state, call);
    if (!(error instanceof UnansweredCall)) return undefined;
    return { decision: 'needs-approval', because: error.message, question: error.question, error };
  }

  /** Takes the answer to a verdict on a call of a skill tool that runs code, or asks. */
  async takeOrAsk({ error }: Extract<SkillCallVerdict, { readonly decision: 'needs-approval' }>): Promise<void> {
    if (!(error instanceof UnansweredCall)) throw error;
    await this.#answerTo(error);
  }

  /** A skill as those see it who open what it brings. */
  asBringer<Known extends SkillMetadata>(skill: Known, grants: SkillGrants): Known {
    return asBringer(skill, grants);
  }

  /**
   * @throws {SkillError} `needs-approval` if the instructions and files of a loaded skill may not
   *   be shown any more
   */
  assertShown(skill: string, grants: SkillGrants): void {
    if (!grants.has('load')) throw new SkillError('needs-approval', approvalTexts.notShown(skill), { skill });
  }

  #isSkillTool(tool: string): boolean {
    return (Object.values(this.#host.names) as readonly string[]).includes(tool);
  }

  get #asksAboutTools(): boolean {
    return this.#settings.codeTools.length > 0;
  }

  /** The answer that a skill tool takes. Without one, it asks. */
  async #answerTo(unanswered: UnansweredCall, onlyAsk = false): Promise<JsonObject> {
    const { id } = unanswered.question;
    const answer = onlyAsk ? await this.#questions.standing(id) : await this.#questions.takeAnswer(id, true);
    if (answer !== undefined) return answer;
    if (!onlyAsk) await this.#questions.record(unanswered);
    throw unanswered;
  }

  // What was answered before

  /** What is remembered about exactly this content, or about every one. */
  async #remembered(skill: SkillMetadata, content: string | null | undefined): Promise<JsonObject | undefined> {
    const record = await this.#questions.get(approvalKey(this.#settings.scope, skill));
    return record !== undefined && isAbout(record, skill, content) ? record : undefined;
  }

  /** The answer that a load rests on. A state only names it, and of this conversation. */
  async #loadedBy(
    skill: SkillMetadata,
    content: string | null | undefined,
    loaded: LoadedSkill | undefined,
  ): Promise<JsonObject | undefined> {
    if (loaded?.approval === undefined || content === undefined) return undefined;
    const record = await this.#questions.get(this.#loadKey(loaded.approval));
    return record?.['kind'] === 'load' && record['revision'] === revisionOf(skill, content) ? record : undefined;
  }

  #loadKey(approval: string): string {
    return this.#questions.key('load', this.#host.conversation ?? null, approval);
  }

  /** What the answers allow, and what needs none. */
  #granted(skill: SkillMetadata, content: string | null | undefined, ...answers: readonly (JsonObject | undefined)[]): SkillGrants {
    const needs = this.#settings.needed(skill);
    const free = [...grantsByTrust(skill)].filter((grant) => !needs.includes(grant));
    const given = answers.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter((grant) => needs.includes(grant));
    // Nobody can say what the files of an unpinned skill will be.
    return new Set([...free, ...(content === null ? given.filter((grant) => grant === 'load') : given)]);
  }

  /** What differs from the last approval. A record of another content ends here. */
  async #changesOf(skill: Skill, content: string | null): Promise<AskedChanges | undefined> {
    const key = approvalKey(this.#settings.scope, skill);
    const record = await this.#questions.take(key);
    const { contents, events } = this.#host;
    if (record !== undefined) {
      await this.#questions.set(`last-${key}`, record);
      events.emit({ type: 'skill_approval_revoked', reason: 'changed', ...activityOf(askedSkill(skill, content), grantsIn(record)) });
    }
    const { kind, content: since, at, files, revision } = record ?? (await this.#questions.get(`last-${key}`)) ?? {};
    if (typeof since !== 'string' || typeof at !== 'string' || (kind === 'seen' && since === content)) return undefined;
    const before = typeof revision === 'string' ? await contents.get(revision) : undefined;
    const diff = before === undefined ? null : lineDiff(before.body, skill.body);
    return { since, at, ...filesSince(files, skill.resources), diff };
  }

  /** @returns the name of the answer that the load rests on */
  async #keepLoad({ skill, content }: ApprovalOfLoad, { id }: SkillQuestion, given: SkillGrants, answer: JsonObject): Promise<string> {
    const { scope, now } = this.#settings;
    const approval = hashText(JSON.stringify([id, ...crypto.getRandomValues(new Uint8Array(16))]));
    const [grants, revision, once] = [[...given], revisionOf(skill, content), answer['answer'] === 'once'];
    await this.#questions.set(this.#loadKey(approval), { kind: 'load', revision, grants, ...(once && { once }) });
    if (content !== null) {
      // It grants nothing. The next question tells what changed since.
      const seen = approvalRecord(scope, skill, content, { grants, at: now().toISOString() });
      await this.#questions.set(`last-${approvalKey(scope, skill)}`, { ...seen, kind: 'seen', revision });
    }
    return approval;
  }

  // What is asked

  async #askLoad(
    { skill, content, callId, arguments: given, signal }: ApprovalOfLoad,
    asks: ReturnType<typeof whatItAsks>,
    { again, isRemembered }: { readonly again: boolean; readonly isRemembered: boolean },
  ): Promise<UnansweredCall> {
    const { scope, codeTools, signerOf, needed, now } = this.#settings;
    const changes = isRemembered ? undefined : await this.#changesOf(skill, content);
    const signer = await signerOf?.(skill);
    signal?.throwIfAborted();
    const hasCode = this.#asksAboutTools && content !== null && needed(skill).includes('code-tools');
    const asked = askedLoad(skill, content, {
      tool: this.#host.names.load,
      input: { name: skill.name, ...(given !== undefined && { arguments: given }) },
      grants: asks.map(({ grant }) => grant),
      asks: hasCode ? [...asks, { grant: 'code-tools', what: codeTools }] : asks,
      whom: 'person',
      ...(signer !== undefined && { signer }),
      ...(changes !== undefined && { changes }),
    });
    const about = approvalRecord(scope, skill, content ?? '', { grants: [], at: now().toISOString() });
    return this.#unansweredCall(asked, callId, {
      skill: { ...about, revision: revisionOf(skill, content) },
      ...(again && { again }),
    });
  }

  /** The question on a call of a tool of the host, or of the one that runs scripts. */
  async #askCall(state: SkillState, { tool, input, id }: AllowedToolCall): Promise<UnansweredCall | undefined> {
    const found = this.#settings.isCodeTool(tool) ? await this.#lacking(state) : [];
    if (found.length === 0) return undefined;
    const skills = found.map(({ skill }) => skill);
    const canRemember = skills.every(({ content }) => content !== null);
    const loads = found.flatMap(({ approval }) => (approval === undefined ? [] : [this.#loadKey(approval)]));
    return this.#unansweredCall({ kind: 'call', tool, input, skills, grants: ['code-tools'], canRemember }, id, { loads });
  }

  #unansweredCall(
    asked: Omit<Unasked, 'whom'>,
    callId: string | undefined,
    about: Omit<AskedAbout, 'call' | 'takesItself'>,
  ): UnansweredCall {
    const { tool, input, skills } = asked;
    const whom = this.#settings.askWhom(asked);
    const conversation = this.#host.conversation ?? null;
    // Staff answers later than this call: a later one, of the same, finds the answer.
    const call = whom === 'staff' ? null : (callId ?? null);
    const question = questionWithId([this.#settings.scope, conversation, call], { ...asked, whom });
    const names = skills.map(({ name }) => name);
    const message = whom === 'staff' ? approvalTexts.waits(tool, names) : approvalTexts.needed(tool, names);
    return new UnansweredCall(message, question, shownQuestion(question), {
      ...about,
      call: this.#questions.key('asked', conversation, call, tool, input),
      ...(this.#isSkillTool(tool) && { takesItself: true }),
    });
  }

  // What is loaded

  /** Level 1 and grants of everything that is loaded. What cannot be looked at has changed. */
  async #looks(state: SkillState): Promise<readonly LoadedLook[]> {
    return await Promise.all(
      loadedSkillNames(state).map((name) =>
        inForce(this.#host.present(), state, name).catch((): LoadedLook => ({ inForce: false, name, reason: 'gone' })),
      ),
    );
  }

  /**
   * The loaded skills whose text must not make a tool execute code unasked, and the answers that
   * their loads rest on.
   */
  async #lacking(state: SkillState): Promise<readonly { readonly skill: AskedSkill; readonly approval: string | undefined }[]> {
    return (await this.#looks(state)).flatMap((look) => {
      const loaded = loadedSkill(state, look.name);
      if (loaded === undefined || (look.inForce && look.grants.has('code-tools'))) return [];
      // The text of a trusted skill that changed is one that the host trusted when it was loaded.
      const wasTrusted = loaded.untrusted !== true && (look.skill === undefined || isTrusted(look.skill));
      const isFree = look.skill === undefined || !this.#settings.needed(look.skill).includes('code-tools');
      if (!look.inForce && wasTrusted && isFree) return [];
      const skill = look.skill === undefined ? askedLoaded(look.name, loaded) : askedSkill(look.skill, loaded.content ?? null);
      return [{ skill, approval: loaded.approval }];
    });
  }
}
