import { normalizeResourcePath } from '../../contract/resource-path.ts';
import { assertKnownOptions, type OptionRules } from '../../contract/known-options.ts';
import { unlistedSkillsDenyText } from '../../prompt/model-texts.ts';
import type { SkillToolNames } from '../../prompt/tool-names.ts';
import type { SkillState } from '../../state/skill-state.ts';
import { allInForce, type LoadedLook, type PresentSkills } from '../in-force.ts';
import { denied, type SkillCallVerdict } from '../skill-call-verdict.ts';
import { allowedToolsDecision, type AllowedToolsPolicy } from './allowed-tools-decision.ts';
import type { AllowedToolCall, AllowedToolOptions } from './matches-allowed-tool.ts';

/** Options of {@link skillAllowedTools}. */
export interface SkillAllowedToolsOptions {
  /**
   * That only those tools may be called, or that their calls need no approval. Those of untrusted
   * skills mean nothing.
   */
  readonly policy: AllowedToolsPolicy;
  /** Patterns of calls that no skill can pre-approve. @default none */
  readonly never?: readonly string[] | undefined;
  /**
   * How patterns are matched with calls: other names of tools, the folder of relative paths, the
   * shell. @default by name, POSIX
   */
  readonly matching?: AllowedToolOptions | undefined;
}

/** What `allowed-tools` of loaded, trusted skills mean: what {@link skillAllowedTools} returns. */
export interface SkillAllowedTools {
  readonly policy: AllowedToolsPolicy;
  /**
   * Judges a call whose gate is open. Sessions call it.
   *
   * @throws what the source rejects with if it cannot answer
   */
  judge(
    input: { readonly present: PresentSkills; readonly state: SkillState; readonly names: SkillToolNames },
    call: AllowedToolCall,
  ): Promise<SkillCallVerdict>;
}

const rules: OptionRules<SkillAllowedToolsOptions> = {
  policy: { restrict: true, 'pre-approve': true },
  never: 'string[]',
  matching: { '{}': { aliases: '{}', root: 'string', shell: { posix: true, unknown: true }, plainFields: 'string[]' } },
};

/**
 * Gives `allowed-tools` of skills a meaning, for the option `allowedTools` of `createSkillset`:
 * `restrict` denies every call that no loaded skill names, `pre-approve` spares a person the
 * approval of those that one names. Without it, the field means nothing.
 *
 * @throws {SkillError} `invalid-options` for an option or a policy that does not exist
 * @example
 * ```ts
 * import { createSkillset, skillAllowedTools, type SkillProvider } from '@repertoire/skills-core';
 *
 * export const restricting = (provider: SkillProvider) =>
 *   createSkillset({ provider, allowedTools: skillAllowedTools({ policy: 'restrict' }) });
 * ```
 */
export function skillAllowedTools(options: SkillAllowedToolsOptions): SkillAllowedTools {
  assertKnownOptions('skillAllowedTools', options, rules);
  const { policy, never, matching } = options;
  return {
    policy,
    async judge({ present, state, names }, call) {
      const looks = await allInForce(present, state);
      // A restriction must not vanish because its skill does, or because it changed. Untrusted
      // skills never restricted anything.
      const vanished = policy === 'restrict' ? looks.filter((look) => restrictsNoLonger(look, state)).map(({ name }) => name) : [];
      if (vanished.length > 0) return denied(unlistedSkillsDenyText(call.tool, vanished, names));
      const { decision, because } = allowedToolsDecision({
        ...matching,
        policy,
        activeSkills: looks.flatMap((look) => (look.inForce && look.grants.has('allowed-tools') ? [look.skill] : [])),
        isGranted: true,
        call: call.tool === names.runScript ? scriptCall(call) : call,
        neverPreApprove: never,
      });
      return decision === 'denied' ? denied(because) : { decision, because };
    },
  };
}

function restrictsNoLonger({ inForce, name }: LoadedLook, state: SkillState): boolean {
  return !inForce && state.loaded[name]?.untrusted !== true;
}

const skillFields = ['skill', 'skill_id', 'skill_name', 'name'];
const scriptFields = ['script', 'path', 'script_path'];

/**
 * A call of `run_skill_script` as patterns of `allowed-tools` see it: its path is `skill/script`,
 * so that `run_skill_script(csv-profile/scripts/*)` speaks of one skill and no other. Nothing but
 * the tool's name is seen of a call that does not say both.
 */
function scriptCall({ tool, input }: AllowedToolCall): AllowedToolCall {
  const skill = textOf(input, skillFields);
  const script = textOf(input, scriptFields);
  if (skill === undefined || script === undefined) return { tool };
  const path = normalizeResourcePath(script);
  return { tool, path: path.startsWith(`${skill}/`) ? path : `${skill}/${path}` };
}

function textOf(input: unknown, fields: readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const found = fields.filter((field) => Object.hasOwn(input, field)).map((field) => (input as Record<string, unknown>)[field]);
  return found.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
