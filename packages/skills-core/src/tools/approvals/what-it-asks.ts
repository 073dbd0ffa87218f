import { isJsonObject } from '../../contract/json-object.ts';
import type { Skill } from '../../contract/skill-provider.ts';
import type { SkillGrant } from '../../policy/approvals/skill-grants.ts';
import type { AskedGrant } from '../../policy/approvals/skill-question.ts';

const maxShown = 100;

/** What a skill asks for: to be shown, and whatever its fields, files and commands would do. */
export function whatItAsks(skill: Skill): readonly AskedGrant[] {
  const { tools = [], allowedTools = [], model, steps, fields, resources, body } = skill;
  const servers = isJsonObject(fields?.['mcps']) ? Object.keys(fields['mcps']) : [];
  const scripts = resources.filter(({ kind }) => kind === 'script').map(({ path }) => path);
  const commands = [...body.matchAll(/!`([^`\n]+)`/g)].map(([, command = '']) => command);
  const asked: readonly [SkillGrant, readonly string[]][] = [
    ['tools', tools],
    ['allowed-tools', allowedTools],
    ['scripts', steps === undefined ? scripts : [...scripts, `${steps.length} steps`]],
    ['snippets', commands],
    ['model', model === undefined || model === 'inherit' ? [] : [model]],
    ['mcp-servers', servers],
  ];
  const some = asked.filter(([, what]) => what.length > 0);
  return [{ grant: 'load', what: [] }, ...some.map(([grant, what]) => ({ grant, what: what.slice(0, maxShown) }))];
}
