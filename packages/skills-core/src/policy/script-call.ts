import { normalizeResourcePath } from '../contract/resource-path.ts';
import type { AllowedToolCall } from './allowed-tools/matches-allowed-tool.ts';

const skillFields = ['skill', 'skill_id', 'skill_name', 'name'];
const scriptFields = ['script', 'path', 'script_path'];

/**
 * A call of `run_skill_script` as patterns of `allowed-tools` see it: its path is `skill/script`,
 * so that `run_skill_script(csv-profile/scripts/*)` speaks of one skill and no other. Nothing but
 * the tool's name is seen of a call that does not say both.
 */
export function scriptCall({ tool, input }: AllowedToolCall): AllowedToolCall {
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
