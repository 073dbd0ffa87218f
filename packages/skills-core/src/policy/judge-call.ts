import { isTrusted } from '../contract/is-trusted.ts';
import { SkillError } from '../errors/skill-error.ts';
import { sourceFailed } from '../errors/source-failed.ts';
import { errorForModel } from '../prompt/source-words.ts';
import { changedToolText, expiredToolText, forkedToolText, lockedToolText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { AllowedToolsPolicy } from './allowed-tools/allowed-tools-decision.ts';
import type { AllowedToolCall } from './allowed-tools/matches-allowed-tool.ts';
import type { SkillAllowedTools } from './allowed-tools/skill-allowed-tools.ts';
import { wantsFork } from './fork.ts';
import type { SkillGates } from './gates.ts';
import { changeOf, type NotInForce } from './in-force.ts';
import { openSkills, type OpenSkillsInput } from './open-skills.ts';
import { denied, type SkillCallVerdict } from './skill-call-verdict.ts';

/** What a verdict rests on, besides the call. */
export interface JudgeCallInput extends OpenSkillsInput {
  readonly gates: SkillGates;
  readonly names: SkillToolNames;
  readonly allowedTools: SkillAllowedTools | undefined;
  /** Whether the caller forks. A fork opens nothing in the conversation. */
  readonly canFork?: boolean | undefined;
}

/**
 * Judges one call of a tool of the host: first whether its gate is open, then what `allowed-tools`
 * of the loaded skills say. Skill tools are always allowed, so that an agent can load another skill
 * or end one. What a loaded skill opens is judged by what its source has now.
 */
export async function judgeCall(input: JudgeCallInput, call: AllowedToolCall): Promise<SkillCallVerdict> {
  const { gates, state, names, allowedTools } = input;
  if (isSkillTool(names, call.tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };
  const isGated = gates.isGated(call.tool);
  try {
    if (isGated) {
      const { open, changed } = await openSkills(input, call.tool);
      if (open.length === 0) return await locked(input, call.tool, changed);
    }
    if (allowedTools === undefined) return { decision: 'allowed', because: 'No allowed-tools are in force.' };
    return await allowedTools.judge(input, call);
  } catch (thrown) {
    return judgeCallOffline(call.tool, state, { isGated, policy: allowedTools?.policy, names, cause: sourceFailed(thrown) });
  }
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
export function isSkillTool(names: SkillToolNames, tool: string): boolean {
  return tool !== names.runScript && Object.values(names).includes(tool);
}

/** `changed`: loaded skills that would open it if they were still what was loaded. */
async function locked(
  { gates, names, state, present, canFork = false }: JudgeCallInput,
  tool: string,
  changed: readonly NotInForce[],
): Promise<SkillCallVerdict> {
  const openedBy: string[] = [];
  const forked: string[] = [];
  for (const name of gates.openedBy(tool)) {
    // A model is not sent to a skill that it may not load.
    const versions = gates.openers(tool).filter((skill) => skill.name === name);
    if (!(await Promise.all(versions.map((skill) => present.mayLoad(skill)))).includes(true)) continue;
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
