import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { nearName } from './near-name.ts';

/**
 * Names of tools that the host does not have. What stands in `tools` must exist. What stands in
 * `allowed-tools` may belong to another client, so only a likely slip is reported.
 */
export function unknownTools(skill: SkillMetadata, available: readonly string[], path: string): SkillDiagnostic[] {
  const there = new Set(available);
  const tools = (skill.tools ?? []).filter((name) => !there.has(name));
  const patterns = (skill.allowedTools ?? []).map((pattern) => pattern.split('(', 1)[0] ?? pattern);
  const allowed = [...new Set(patterns)].filter((name) => !there.has(name) && !name.includes('*') && !tools.includes(name));
  return [
    ...tools.map((name) => wrongTool(skill.name, 'tools', name, nearName(name, available), path)),
    ...allowed.flatMap((name) => {
      const near = nearName(name, available);
      return near === null ? [] : [wrongTool(skill.name, 'allowed-tools', name, near, path)];
    }),
  ];
}

function wrongTool(skill: string, field: string, name: string, near: string | null, path: string): SkillDiagnostic {
  return {
    code: 'wrong-tool',
    severity: 'error',
    message: `"${field}" names the tool ${JSON.stringify(name)}, which does not exist.`,
    skill,
    path,
    fix: near === null ? 'Use the name of a tool that the host has.' : `Did you mean ${JSON.stringify(near)}?`,
  };
}
