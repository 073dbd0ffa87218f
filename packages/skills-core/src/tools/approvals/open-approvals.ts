import { isTrusted } from '../../contract/is-trusted.ts';
import { isJsonObject, type JsonObject } from '../../contract/json-object.ts';
import type { Skill, SkillMetadata } from '../../contract/skill-provider.ts';
import { SkillError } from '../../errors/skill-error.ts';
import type { AllowedToolCall } from '../../policy/allowed-tools/matches-allowed-tool.ts';
import { asBringer } from '../../policy/approvals/as-bringer.ts';
import { lookAtLoaded, type LoadedLook } from '../../policy/held/look-at-loaded.ts';
import { allGrants, grantsByTrust, type SkillGrant, type SkillGrants } from '../../policy/approvals/skill-grants.ts';
import { withQuestion, type AskedChanges, type AskedSkill, type SkillQuestion } from '../../policy/approvals/skill-question.ts';
import { approvalTexts } from '../../prompt/approval-texts.ts';
import type { SkillToolRole } from '../../prompt/tool-names.ts';
import { hashText } from '../../providers/digest/hash-text.ts';
import { revisionOf } from '../../state/revision.ts';
import { loadedSkill, loadedSkillNames, type LoadedSkill, type SkillState } from '../../state/skill-state.ts';
import { approvalRecords, type SkillApprovalStore } from './approval-store.ts';
import { filesSince } from './files-since.ts';
import { lineDiff } from './line-diff.ts';
import { askedSkill, questionOfLoad, withId } from './question-of-load.ts';
import type { ApprovalHost, ApprovalOfLoad, SessionApprovals } from './session-approvals.ts';
import { approvalKey, approvalRecord, grantsIn, isAbout } from './skill-approval-record.ts';
import { whatItAsks } from './what-it-asks.ts';

/** What the approvals of one session are made of. */
export interface OpenedApprovals {
  readonly host: ApprovalHost;
  readonly store: SkillApprovalStore;
  readonly scope: string;
  readonly hasCodeTools: boolean;
  isCodeTool(tool: string): boolean;
  needed(skill: SkillMetadata): readonly SkillGrant[];
  readonly signerOf: ((skill: Skill) => string | undefined | Promise<string | undefined>) | undefined;
  now(): Date;
}

/** These answer with a question before they do anything. */
const askedRoles: ReadonlySet<SkillToolRole> = new Set(['load', 'readFile', 'loadResource', 'loadAsset']);

const maxByCharacters = 200;

interface Remembered {
  readonly grants: readonly SkillGrant[];
  readonly never: boolean;
  readonly by: unknown;
}

interface Asked {
  /** The skill to load, to remember an answer for it. */
  readonly skill?: Skill | undefined;
  /** The records that the loads of its skills rest on. */
  readonly loads: readonly string[];
}

/** The one place where answers of people are judged. */
export function openApprovals({ host, store, scope, hasCodeTools, isCodeTool, needed, signerOf, now }: OpenedApprovals): SessionApprovals {
  const records = approvalRecords(store, (thrown) =>
    host.report({
      code: 'approval-store-failed',
      severity: 'warning',
      message: `The store of approvals failed: ${String(thrown)}. What a person approved does not count until it answers.`,
      fix: 'Look at `store` of skillApprovals.',
    }),
  );
  const asked = new WeakMap<SkillQuestion, Asked>();
  const told = new Set<string>();
  const callKey = (kind: 'answered' | 'expected', callId: string | undefined) =>
    `call-${hashText(JSON.stringify([kind, scope, callId ?? null]))}`;
  const isAnswered = async (question: SkillQuestion, callId: string | undefined): Promise<JsonObject | undefined> => {
    const key = callKey('answered', callId);
    const record = await records.get(key);
    if (record?.['question'] === question.id) return record;
    // An answer to something else must not wait for a call of the same id.
    if (record !== undefined) await records.delete(key);
    return undefined;
  };

  /** The remembered answer for exactly this content. */
  async function remembered(skill: SkillMetadata, content: string | null | undefined): Promise<JsonObject | undefined> {
    if (typeof content !== 'string') return undefined;
    const record = await records.get(approvalKey(scope, skill));
    return record !== undefined && isAbout(record, skill, content) ? record : undefined;
  }

  /** The answer that a load rests on. A state only names it, so nobody can claim one. */
  async function restsOn(
    skill: SkillMetadata,
    content: string | null | undefined,
    loaded: LoadedSkill | undefined,
  ): Promise<JsonObject | undefined> {
    if (loaded?.approval === undefined || content === undefined) return undefined;
    const record = await records.get(loaded.approval);
    const isThis = record?.['kind'] === 'load' && record['scope'] === scope && record['revision'] === revisionOf(skill, content);
    return isThis ? record : undefined;
  }

  function granted(skill: SkillMetadata, content: string | null | undefined, answers: readonly (JsonObject | undefined)[]): SkillGrants {
    const needs = needed(skill);
    const free = [...grantsByTrust(skill)].filter((grant) => !needs.includes(grant));
    const given = answers.flatMap((answer) => (answer === undefined ? [] : grantsIn(answer))).filter((grant) => needs.includes(grant));
    // Nobody can say what the files of an open skill will be.
    return new Set([...free, ...(content === null ? given.filter((grant) => grant === 'load') : given)]);
  }

  async function grantsOf(skill: SkillMetadata, content: string | null | undefined, loaded?: LoadedSkill): Promise<SkillGrants> {
    if (needed(skill).length === 0) return grantsByTrust(skill);
    const record = await remembered(skill, content);
    if (record?.['never'] === true) return new Set();
    return granted(skill, content, [record, await restsOn(skill, content, loaded)]);
  }

  function ask(question: SkillQuestion, callId: string | undefined, more: Asked): SkillQuestion {
    asked.set(question, more);
    const key = JSON.stringify([question.id, callId]);
    if (told.has(key)) return question;
    told.add(key);
    const { id, kind } = question;
    for (const skill of question.skills)
      host.emit({ type: 'skill_approval_requested', question: id, kind, ...activityOf(skill, question.grants) });
    return question;
  }

  /** What differs from the last approval. A record of another content ends here. */
  async function changesOf(skill: Skill, content: string | null): Promise<AskedChanges | undefined> {
    const key = approvalKey(scope, skill);
    const record = await records.get(key);
    if (record !== undefined) {
      await records.set(`last-${key}`, record);
      await records.delete(key);
      host.emit({ type: 'skill_approval_revoked', reason: 'changed', ...activityOf(askedSkill(skill, content), grantsIn(record)) });
    }
    const last = record ?? (await records.get(`last-${key}`));
    const { kind, content: since, at, files, revision } = last ?? {};
    if (typeof since !== 'string' || typeof at !== 'string' || !isJsonObject(files)) return undefined;
    if (kind === 'seen' && since === content) return undefined;
    const before = typeof revision === 'string' ? await host.contents.get(revision) : undefined;
    return {
      since,
      at,
      ...filesSince(files, skill.resources),
      diff: before === undefined ? null : lineDiff(before.body, skill.body),
    };
  }

  async function remember(question: SkillQuestion, { grants, never, by }: Remembered): Promise<void> {
    const skill = asked.get(question)?.skill;
    const [one] = question.skills;
    if (skill === undefined || typeof one?.content !== 'string') return;
    const at = now().toISOString();
    const record = approvalRecord(scope, skill, one.content, {
      grants: never ? [] : grants,
      at,
      ...(never && { never }),
      ...(typeof by === 'string' && { by: by.slice(0, maxByCharacters) }),
    });
    await records.set(approvalKey(scope, skill), { ...record, revision: revisionOf(skill, one.content) });
    if (never) host.emit({ type: 'skill_approval_revoked', reason: 'never', ...activityOf(one, []) });
  }

  /** Adds grants to answers for loads and contents. */
  async function widen(question: SkillQuestion, more: readonly SkillGrant[], isRemembered: boolean): Promise<void> {
    const add = async (key: string, isThis: (record: JsonObject) => boolean): Promise<void> => {
      const record = await records.get(key);
      if (record === undefined || !isThis(record)) return;
      await records.set(key, { ...record, grants: [...new Set([...grantsIn(record), ...more])] });
    };
    for (const key of asked.get(question)?.loads ?? []) await add(key, ({ kind }) => kind === 'load');
    if (!isRemembered) return;
    for (const { name, version, source, place, content } of question.skills) {
      const origin = { kind: '', label: source, place, trusted: false };
      await add(approvalKey(scope, { name, version, origin }), (record) => record['content'] === content);
    }
  }

  /** Level 1 and grants of everything that is loaded. What cannot be looked at has changed. */
  const looksAt = async (state: SkillState): Promise<readonly LoadedLook[]> =>
    await Promise.all(
      loadedSkillNames(state).map((name) =>
        lookAtLoaded(host.present(), state, name).catch((): LoadedLook => ({ status: 'changed', name, reason: 'gone' })),
      ),
    );

  /** The loaded skills whose text must not make a tool execute code unasked. */
  async function lacking(state: SkillState): Promise<readonly { readonly skill: AskedSkill; readonly load: string | undefined }[]> {
    const looks = await looksAt(state);
    return looks.flatMap((look) => {
      const loaded = loadedSkill(state, look.name);
      if (loaded === undefined || (look.status === 'held' && look.grants.has('code-tools'))) return [];
      // The text of a trusted skill that changed is one that the host trusted when it was loaded.
      const wasTrusted = loaded.untrusted !== true && (look.skill === undefined || isTrusted(look.skill));
      const isFree = look.skill === undefined || !needed(look.skill).includes('code-tools');
      if (look.status === 'changed' && wasTrusted && isFree) return [];
      const { source, place = look.name, version, content = null } = loaded;
      const skill =
        look.skill === undefined ? { name: look.name, source, place, version, trusted: false, content } : askedSkill(look.skill, content);
      return [{ skill, load: loaded.approval }];
    });
  }

  /** The question on a call of a tool of the host. */
  async function questionOnCall(state: SkillState, { tool, input, id }: AllowedToolCall): Promise<SkillQuestion | undefined> {
    if (!isCodeTool(tool)) return undefined;
    const found = await lacking(state);
    if (found.length === 0) return undefined;
    const skills = found.map(({ skill }) => skill);
    const canRemember = skills.every(({ content }) => content !== null);
    const question = withId(scope, { kind: 'call', tool, input, skills, grants: ['code-tools'], canRemember });
    return ask(question, id, { loads: found.flatMap(({ load }) => load ?? []) });
  }

  const approvals: SessionApprovals = {
    isCodeTool,
    grantsOf,

    async load({ skill, content, arguments: given, state, callId, onlyAsk = false, signal }: ApprovalOfLoad) {
      const needs = needed(skill);
      if (needs.length === 0) return { grants: grantsByTrust(skill) };
      const input = { name: skill.name, ...(given !== undefined && { arguments: given }) };
      const loaded = loadedSkill(state, skill.name);
      const asks = whatItAsks(skill);
      const wanted = asks.map(({ grant }) => grant).filter((grant) => needs.includes(grant) && (content !== null || grant === 'load'));
      if (wanted.length === 0) return { grants: granted(skill, content, []) };
      const refused = (): SkillError => new SkillError('permission-denied', approvalTexts.refused(skill.name), { skill: skill.name });
      const record = await remembered(skill, content);
      if (record?.['never'] === true) throw refused();
      const isLoadable = (grants: SkillGrants) => grants.has('load');
      if (record !== undefined && isLoadable(granted(skill, content, [record]))) return { grants: granted(skill, content, [record]) };
      const standing = await restsOn(skill, content, loaded);
      if (standing !== undefined && standing['once'] !== true)
        return { grants: granted(skill, content, [record, standing]), approval: loaded?.approval };

      const changes = record === undefined ? await changesOf(skill, content) : undefined;
      const signer = await signerOf?.(skill);
      signal?.throwIfAborted();
      const parts = { scope, tool: host.names.load, input, skill, content, asks, grants: wanted, signer, changes };
      const question = questionOfLoad(parts);
      const answer = await isAnswered(question, callId);
      if (answer === undefined) throw asError(ask(question, callId, { skill, loads: [] }));
      const grants = granted(skill, content, [answer]);
      if (!isLoadable(grants)) throw refused();
      if (onlyAsk) return { grants };
      const approval = `load-${hashText(JSON.stringify([question.id, callId, ...crypto.getRandomValues(new Uint8Array(16))]))}`;
      const once = answer['answer'] === 'once';
      await records.set(approval, {
        kind: 'load',
        scope,
        revision: revisionOf(skill, content),
        grants: grantsIn(answer),
        ...(once && { once }),
      });
      if (content !== null) {
        // What was loaded so counts for nothing later; the next question tells what changed since.
        const seen = approvalRecord(scope, skill, content, { grants: grantsIn(answer), at: now().toISOString() });
        await records.set(`last-${approvalKey(scope, skill)}`, { ...seen, kind: 'seen', revision: revisionOf(skill, content) });
      }
      await records.delete(callKey('answered', callId));
      return { grants, approval };
    },

    async use(skill, loaded, { state, tool, input, callId, onlyAsk }) {
      // Of a loaded one it was asked when it was read.
      if (loaded !== undefined) return;
      const grants = await grantsOf(skill, skill.content);
      const isLoadedFirst = !grants.has('load') || (hasCodeTools && !grants.has('code-tools'));
      if (isLoadedFirst)
        throw new SkillError('needs-approval', approvalTexts.loadFirst(skill.name, host.names.load), { skill: skill.name });
      const target = askedSkill(skill, skill.content ?? null);
      const looks = await looksAt(state);
      const across = looks.flatMap(({ name, skill: other }) => {
        const entry = loadedSkill(state, name);
        const needsPerson = other === undefined ? entry?.untrusted === true : needed(other).length > 0;
        return entry === undefined || !needsPerson || entry.source === target.source ? [] : [{ name, entry, other }];
      });
      if (across.length === 0) return;
      const from = across.map(({ name, entry: { source, place = name, version, content = null } }) => ({
        name,
        source,
        place,
        version,
        trusted: false,
        content,
      }));
      const question = withId(scope, { kind: 'read', tool, input, skills: [...from, target], grants: [], canRemember: false });
      if ((await isAnswered(question, callId)) === undefined) throw asError(ask(question, callId, { loads: [] }));
      // Each call is asked about.
      if (onlyAsk !== true) await records.delete(callKey('answered', callId));
    },

    async unload(name, state) {
      if (!hasCodeTools || !(await lacking(state)).some(({ skill }) => skill.name === name)) return;
      throw new SkillError('permission-denied', approvalTexts.staysLoaded(name), { skill: name });
    },

    async judge(state, call, tool) {
      const isAsked = tool !== undefined && askedRoles.has(tool.role);
      const question = isAsked
        ? (await tool.execute(call.input, { state, callId: call.id, onlyAsk: true })).question
        : await questionOnCall(state, call);
      if (question === undefined) return undefined;
      const error = asError(question);
      return { decision: 'needs-approval', because: error.message, question, error };
    },

    assertShown(skill, grants) {
      if (!grants.has('load')) throw new SkillError('needs-approval', approvalTexts.notShown(skill), { skill });
    },
    asBringer,

    async answer(question, given, callId) {
      const { answer, question: named, by } = isJsonObject(given) ? given : ({} as JsonObject);
      if (named !== question.id || answer === 'no') return false;
      const grants = 'grants' in given && given.grants !== undefined ? grantsIn({ grants: given.grants }) : question.grants;
      if (answer === 'never') {
        if (question.kind === 'load') await remember(question, { grants: [], never: true, by });
        return false;
      }
      if (answer !== 'once' && answer !== 'conversation' && answer !== 'content') return false;
      const isRemembered = answer === 'content' && question.canRemember;
      const lasts = answer === 'once' || question.kind === 'read' ? 'once' : 'conversation';
      if (question.kind === 'load' && isRemembered) await remember(question, { grants, never: false, by });
      // Loads and reads take the answer when made; calls of the host are made by the asker.
      else if (question.kind !== 'call') await records.set(callKey('answered', callId), { question: question.id, answer: lasts, grants });
      if (question.kind === 'call' && lasts === 'conversation') await widen(question, grants, isRemembered);
      const said = isRemembered || answer !== 'content' ? answer : lasts;
      for (const skill of question.skills)
        host.emit({ type: 'skill_approval_given', question: question.id, answer: said, ...activityOf(skill, grants) });
      return true;
    },

    async expect({ id }, callId) {
      // A framework may ask again after the yes. What the person saw is what was asked first.
      const key = callKey('expected', callId);
      if (typeof (await records.get(key))?.['question'] !== 'string') await records.set(key, { question: id });
    },
    async confirm(question, callId) {
      if (await isAnswered(question, callId)) return true;
      const key = callKey('expected', callId);
      const expected = await records.get(key);
      if (expected === undefined) return false;
      await records.delete(key);
      if (expected['question'] !== question.id) return false;
      return await approvals.answer(question, { question: question.id, answer: 'once' }, callId);
    },
  };
  return approvals;
}

function asError(question: SkillQuestion): SkillError {
  const names = question.skills.map(({ name }) => name);
  return withQuestion(new SkillError('needs-approval', approvalTexts.needed(question.tool, names), { skill: names.at(-1) }), question);
}

function activityOf({ name, version, source, trusted, content }: AskedSkill, grants: readonly SkillGrant[]) {
  return { skill: name, version, source, trusted, content, grants: allGrants.filter((grant) => grants.includes(grant)) };
}
