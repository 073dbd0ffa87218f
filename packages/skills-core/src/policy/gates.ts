import { isModelInvocable, isUserInvocable } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import { changedToolText, expiredToolText, forkedToolText, lockedToolText } from '../prompt/model-texts.ts';
import { errorForModel } from '../prompt/source-words.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { AllowedToolsPolicy } from './allowed-tools/allowed-tools-decision.ts';
import type { AllowedToolCall } from './allowed-tools/matches-allowed-tool.ts';
import type { SkillAllowedTools } from './allowed-tools/skill-allowed-tools.ts';
import { matchWildcard } from './allowed-tools/wildcard.ts';
import type { SkillGrant } from './approvals/skill-grants.ts';
import { wantsFork } from './fork.ts';
import { changeOf, inForce, listedIdentity, type NotInForce, type PresentSkills } from './in-force.ts';
import { denied, type SkillCallVerdict } from './skill-call-verdict.ts';

/**
 * Which tools of the host are closed until a skill opens them: names, with `*` for any characters
 * (`billing_*`). `'named'` closes every tool that a trusted, listed skill names; it depends on the
 * listing, so prefer names.
 */
export type GatedTools = readonly string[] | 'named';

/** What the gates of a session are made of. */
export interface GateInput {
  /** What the host declared. */
  readonly declared: GatedTools;
  /** Tools that skills written in code name, whatever is listed now. */
  readonly hostTools: readonly string[];
  /** Tools of skills themselves, by the name of the skill. */
  readonly toolsOfSkills: ReadonlyMap<string, readonly string[]>;
  /** Every skill that the source lists, before the host's selection. */
  readonly listed: readonly SkillMetadata[];
  /** The skills that the host selected for this request. */
  readonly selected: readonly SkillMetadata[];
  /** Whether a person may grant a skill without trust that it opens tools. */
  readonly asksPerson: boolean;
  /** The host declared an empty list, so that tools which files name are open on purpose. */
  readonly openOnPurpose?: boolean | undefined;
}

/** Which tools are closed, and which skills open them. Pure. */
export interface GateRules {
  /** Whether a tool is closed until a skill opens it. */
  isGated(tool: string): boolean;
  /** The skills that open a tool while they are loaded and pinned. */
  openers(tool: string): readonly SkillMetadata[];
  /** The skills among them that open it from the start. */
  opensFromStart(tool: string): readonly SkillMetadata[];
  /** Names of the skills that a model could load to open the tool. */
  openedBy(tool: string): readonly string[];
  /** Whether only a person can start the skill that opens it. */
  needsPerson(tool: string): boolean;
}

/**
 * Returns the rules of gates by one listing. What a host declared stays closed whatever the source
 * lists, fails to list or lists differently: only a loaded, trusted, selected skill that names the
 * tool opens it. An untrusted skill neither closes nor opens anything.
 */
export function gateRules(input: GateInput): GateRules {
  const { declared, toolsOfSkills } = input;
  let hosts: ReadonlySet<string> | undefined;
  // Most sessions ask about few tools, so the listing is walked on demand.
  const isHosts = (tool: string) =>
    (hosts ??= toolsOfHost(input)).has(tool) || (declared !== 'named' && declared.some((pattern) => matchWildcard(pattern, tool)));
  const isOfSkill = (tool: string) => [...toolsOfSkills.values()].some((tools) => tools.includes(tool));
  const isDeclared = (tool: string) => isHosts(tool) || isOfSkill(tool);
  const isNamed = (tool: string) => declared === 'named' && input.listed.some((skill) => isTrusted(skill) && skill.tools?.includes(tool));
  const openers = (tool: string) =>
    input.selected.filter(
      (skill) =>
        (isTrusted(skill) || input.asksPerson) &&
        // A tool of a skill opens no gate of the host that has its name.
        (skill.tools?.includes(tool) === true || (toolsOfSkills.get(skill.name)?.includes(tool) === true && !isHosts(tool))),
    );
  const opensAlways = (skill: SkillMetadata, tool: string) => skill.autoActivate === 'always' && (isHostCode(skill) || !isDeclared(tool));

  return {
    isGated: (tool) => isDeclared(tool) || isNamed(tool),
    openers,
    opensFromStart: (tool) => openers(tool).filter((skill) => isTrusted(skill) && opensAlways(skill, tool)),
    openedBy: (tool) => [...new Set(openers(tool).flatMap((skill) => (isModelInvocable(skill) ? [skill.name] : [])))],
    needsPerson: (tool) => openers(tool).some((skill) => !isModelInvocable(skill) && isUserInvocable(skill)),
  };
}

/** Tools that the host closes by its code, whatever it declares. */
function toolsOfHost({ hostTools, listed }: GateInput): ReadonlySet<string> {
  return new Set([...hostTools, ...listed.filter(isHostCode).flatMap(({ tools }) => tools ?? [])]);
}

/** Whether a skill is the host's own code, so that its fields count as the host's decision. */
function isHostCode(skill: SkillMetadata): boolean {
  return isTrusted(skill) && skill.origin?.kind === 'code';
}

/** The gates of a session: which calls are judged how, and which tools are visible. */
export interface SkillGates {
  /** Whether a tool is closed until a skill opens it. */
  isGated(tool: string): boolean;
  /** Names of the skills that a model could load to open the tool. */
  openedBy(tool: string): readonly string[];
  /**
   * Judges one call of a tool of the host: first whether its gate is open, then what
   * `allowed-tools` of the loaded skills say. Skill tools are always allowed, so that an agent can
   * load another skill or end one. What a loaded skill opens is judged by what its source has now.
   *
   * @param canFork whether the caller forks. A fork opens nothing in the conversation
   */
  judge(state: SkillState, call: AllowedToolCall, canFork?: boolean): Promise<SkillCallVerdict>;
  /**
   * Returns the tools that a model sees if closed ones are hidden: first those that no load opens
   * or closes, then the open ones, in the order in which the skills that open them were loaded. So
   * a load only appends to the list. While the source cannot be asked, closed tools stay hidden.
   */
  visible(names: readonly string[], state: SkillState): Promise<readonly string[]>;
}

/** What gates need of their session. */
export interface GateSession {
  /** What the source has at the moment of a judgement. */
  readonly present: PresentSkills;
  readonly names: SkillToolNames;
  readonly allowedTools: SkillAllowedTools | undefined;
}

/** Skills that hold the gate of a tool open, and loaded ones that would if unchanged. */
interface OpenSkills {
  /** Names; those that open it from the start come first. */
  readonly open: readonly string[];
  readonly fromStart: boolean;
  readonly changed: readonly NotInForce[];
}

/** Opens the gates of a session. Judgements follow the latest listing of the source. */
export function skillGates(input: GateInput, session: GateSession): SkillGates {
  const { names, allowedTools } = session;
  const gates = gateRules(input);
  let latest = { listed: input.listed, gates };

  async function gatesNow(): Promise<GateRules> {
    const { listing, selected } = await session.present.now();
    if (listing.skills !== latest.listed)
      latest = { listed: listing.skills, gates: gateRules({ ...input, listed: listing.skills, selected }) };
    return latest.gates;
  }

  /** Looks which skills hold the gate of a tool open now. Rejects if the source cannot answer. */
  async function openSkills(present: PresentSkills, state: SkillState, tool: string): Promise<OpenSkills> {
    const now = await gatesNow();
    for (const skill of now.opensFromStart(tool)) {
      const grants = await present.grantsOf(skill, skill.content);
      if (grants.has('tools') && (await present.mayLoad(skill))) return { open: [skill.name], fromStart: true, changed: [] };
    }
    const open: string[] = [];
    const changed: NotInForce[] = [];
    let failure: { readonly error: unknown } | undefined;
    const openers = now.openers(tool);
    if (openers.length === 0) return { open, fromStart: false, changed };
    for (const name of loadedSkillNames(state)) {
      const loaded = loadedSkill(state, name);
      // The loaded identity counts, which need not be the skill that has this name now.
      const opener = loaded && listedIdentity(openers, name, loaded);
      if (opener === undefined && !openers.some((skill) => skill.name === name)) continue;
      const look = await inForce(present, state, name).catch((error: unknown) => ({ error }));
      if ('error' in look) failure ??= look;
      else if (!look.inForce) changed.push(look);
      else if (look.skill === opener && look.grants.has(grantToOpen(opener, tool))) open.push(name);
    }
    // A source that is down opens nothing, and closes nothing that a skill of another one opens.
    if (open.length === 0 && failure !== undefined) throw failure.error;
    return { open, fromStart: false, changed };
  }

  /** `changed`: loaded skills that would open it if they were still what was loaded. */
  async function locked(state: SkillState, tool: string, changed: readonly NotInForce[], canFork: boolean): Promise<SkillCallVerdict> {
    const openedBy: string[] = [];
    const forked: string[] = [];
    for (const name of gates.openedBy(tool)) {
      // A model is not sent to a skill that it may not load.
      const versions = gates.openers(tool).filter((skill) => skill.name === name);
      if (!(await Promise.all(versions.map((skill) => session.present.mayLoad(skill)))).includes(true)) continue;
      (canFork && versions.every(wantsFork) ? forked : openedBy).push(name);
    }
    const [was] = changed.filter(
      ({ name, skill, reason }) =>
        state.loaded[name]?.untrusted !== true &&
        (skill === undefined || isTrusted(skill)) &&
        // What this request may not have, or names wrongly, is not there for it.
        reason !== 'not-permitted' &&
        reason !== 'other-name',
    );
    if (was?.reason === 'expired') {
      const because = expiredToolText(tool, was.name);
      return { decision: 'denied', because, openedBy, error: new SkillError('source-unavailable', because, { skill: was.name }) };
    }
    if (was !== undefined) {
      const because = changedToolText(tool, was.name, changeOf(was.reason), names);
      return denied(because, new SkillError('skill-changed', because, { skill: was.name }), openedBy);
    }
    if (openedBy.length === 0 && forked.length > 0) {
      // A model that was told to load it and to call again would do so for ever.
      const because = forkedToolText(tool, forked, names);
      return denied(because, new SkillError('not-loaded', because), openedBy);
    }
    const because = lockedToolText(tool, openedBy, gates.needsPerson(tool), names);
    const [skill] = openedBy;
    return denied(because, new SkillError('not-loaded', because, skill === undefined ? {} : { skill }), openedBy);
  }

  return {
    isGated: gates.isGated,
    openedBy: gates.openedBy,

    async judge(state, call, canFork = false) {
      if (isSkillTool(names, call.tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };
      const isGated = gates.isGated(call.tool);
      try {
        if (isGated) {
          const { open, changed } = await openSkills(session.present, state, call.tool);
          if (open.length === 0) return await locked(state, call.tool, changed, canFork);
        }
        if (allowedTools === undefined) return { decision: 'allowed', because: 'No allowed-tools are in force.' };
        return await allowedTools.judge({ present: session.present, names, state }, call);
      } catch (thrown) {
        return judgeCallOffline(call.tool, state, { isGated, policy: allowedTools?.policy, names, cause: sourceFailed(thrown) });
      }
    },

    async visible(asked, state) {
      const present = { ...session.present, mayLoad: onceForEach(session.present.mayLoad) };
      const always: string[] = [];
      const open: { readonly name: string; readonly since: number }[] = [];
      for (const name of asked) {
        if (!gates.isGated(name) || isSkillTool(names, name)) {
          always.push(name);
          continue;
        }
        // Hiding a tool is no gate: whoever calls it is judged again, and told why.
        const found = await openSkills(present, state, name).catch(() => undefined);
        if (found === undefined || found.open.length === 0) continue;
        if (found.fromStart) always.push(name);
        else open.push({ name, since: Math.min(...found.open.map((skill) => loadedSkill(state, skill)?.sequence ?? 0)) });
      }
      return [...always, ...open.sort((a, b) => a.since - b.since).map(({ name }) => name)];
    },
  };
}

/** If skills cannot be read: declared gates are closed, and `restrict` allows nothing. */
export function judgeCallOffline(
  tool: string,
  state: SkillState,
  { isGated, policy, names, cause }: { isGated: boolean; policy: AllowedToolsPolicy | undefined; names: SkillToolNames; cause: SkillError },
): SkillCallVerdict {
  if (isSkillTool(names, tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };
  const loaded = loadedSkillNames(state).filter((name) => state.loaded[name]?.untrusted !== true);
  if (!isGated && (policy !== 'restrict' || loaded.length === 0)) return { decision: 'allowed', because: 'No skill is concerned with it.' };
  const because = `The tool ${tool} is locked, because the skills cannot be read now: ${errorForModel(cause.message)}`;
  return denied(because, new SkillError(cause.code, because, { cause }));
}

/** Whether a skill tool is always allowed. Running a script is judged. */
function isSkillTool(names: SkillToolNames, tool: string): boolean {
  return tool !== names.runScript && Object.values(names).includes(tool);
}

/** A tool that a skill names is opened by another grant than one that its own server brings. */
function grantToOpen({ tools }: SkillMetadata, tool: string): SkillGrant {
  return tools?.includes(tool) === true ? 'tools' : 'mcp-servers';
}

/** Several tools are opened by one skill, and a permission may cost a request. */
function onceForEach(ask: PresentSkills['mayLoad']): PresentSkills['mayLoad'] {
  const answers = new Map<SkillMetadata, Promise<boolean>>();
  return (skill) => {
    const answer = answers.get(skill) ?? ask(skill);
    answers.set(skill, answer);
    return answer;
  };
}
