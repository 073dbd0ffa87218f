import { SkillError } from '../errors/skill-error.ts';
import type { SkillMetadata } from '../contract/skill-provider.ts';
import { errorForModel } from '../prompt/source-words.ts';
import { lockedToolText, unlistedSkillsDenyText } from '../prompt/model-texts.ts';
import type { SkillToolNames } from '../prompt/tool-names.ts';
import { loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import { allowedToolsDecision, type AllowedToolsPolicy } from './allowed-tools/allowed-tools-decision.ts';
import type { AllowedToolCall, AllowedToolOptions } from './allowed-tools/matches-allowed-tool.ts';
import type { SkillGates } from './gates.ts';
import { loadedInListing } from './loaded-in-listing.ts';
import { scriptCall } from './script-call.ts';

/** What is to be done with a call of a tool of the host. */
export type SkillCallVerdict =
  | {
      /** `allowed`: skills have nothing against it; the host's other rules decide. `pre-approved`: no person need be asked. */
      readonly decision: 'allowed' | 'pre-approved';
      /** Why, in one sentence. */
      readonly because: string;
    }
  | {
      /** The call must not be made. */
      readonly decision: 'denied';
      readonly because: string;
      /** What the call answers with: `not-loaded` for a closed gate, `permission-denied` for `allowed-tools`. */
      readonly error: SkillError;
      /** Names of the skills that a model could load to open the tool; empty if no skill can, or if it is about `allowed-tools`. */
      readonly openedBy: readonly string[];
    };

/** What a verdict rests on, besides the call. */
export interface JudgeCallInput {
  readonly gates: SkillGates;
  /** The skills that the host selected for this request. */
  readonly selected: readonly SkillMetadata[];
  readonly state: SkillState;
  readonly names: SkillToolNames;
  readonly policy: AllowedToolsPolicy;
  readonly neverPreApprove?: readonly string[] | undefined;
  readonly matching?: AllowedToolOptions | undefined;
  /** Whether the host lets this request load a skill. */
  readonly mayLoad: (skill: SkillMetadata) => Promise<boolean>;
}

/**
 * Judges one call of a tool of the host: first whether its gate is open, then what `allowed-tools` of the loaded skills say. Skill tools are
 * always allowed, so that an agent can load another skill or end one.
 */
export async function judgeCall(input: JudgeCallInput, call: AllowedToolCall): Promise<SkillCallVerdict> {
  const { gates, state, names, policy } = input;
  if (isSkillTool(names, call.tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };
  if (gates.isGated(call.tool) && !(await someMayLoad(gates.opening(call.tool, state), input))) return locked(input, call.tool);

  const { found, missing } = loadedInListing(input.selected, state);
  // A restriction must not vanish because its skill does. Untrusted skills never restricted anything.
  const vanished = policy === 'restrict' ? missing.filter((name) => state.loaded[name]?.untrusted !== true) : [];
  if (vanished.length > 0) return denied(unlistedSkillsDenyText(call.tool, vanished, names));
  const { decision, because } = allowedToolsDecision({
    ...input.matching,
    policy,
    activeSkills: found,
    call: call.tool === names.runScript ? scriptCall(call) : call,
    neverPreApprove: input.neverPreApprove,
  });
  return decision === 'denied' ? denied(because) : { decision, because };
}

/**
 * The verdict if the skills cannot be read now: what the host declared stays closed, and under `restrict` nothing is allowed while any skill
 * is loaded.
 */
export function judgeCallOffline(
  tool: string,
  state: SkillState,
  { isGated, policy, names, cause }: { isGated: boolean; policy: AllowedToolsPolicy; names: SkillToolNames; cause: SkillError },
): SkillCallVerdict {
  if (isSkillTool(names, tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };
  const loaded = loadedSkillNames(state).filter((name) => state.loaded[name]?.untrusted !== true);
  if (!isGated && (policy !== 'restrict' || loaded.length === 0)) return { decision: 'allowed', because: 'No skill is concerned with it.' };
  const because = `The tool ${tool} is locked, because the skills cannot be read now: ${errorForModel(cause.message)}`;
  return { decision: 'denied', because, openedBy: [], error: new SkillError(cause.code, because, { cause }) };
}

/** Whether a tool is a skill tool that is always allowed. Running a script is judged like a call of the host's tools. */
export function isSkillTool(names: SkillToolNames, tool: string): boolean {
  return tool !== names.runScript && Object.values(names).includes(tool);
}

async function someMayLoad(skills: readonly SkillMetadata[], { mayLoad }: JudgeCallInput): Promise<boolean> {
  for (const skill of skills) if (await mayLoad(skill)) return true;
  return false;
}

function locked({ gates, names }: JudgeCallInput, tool: string): SkillCallVerdict {
  const openedBy = gates.openedBy(tool);
  const because = lockedToolText(tool, openedBy, gates.needsPerson(tool), names);
  const [skill] = openedBy;
  return { decision: 'denied', because, openedBy, error: new SkillError('not-loaded', because, skill === undefined ? {} : { skill }) };
}

export function denied(because: string): SkillCallVerdict {
  return { decision: 'denied', because, openedBy: [], error: new SkillError('permission-denied', because) };
}
