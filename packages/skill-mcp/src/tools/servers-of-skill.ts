import type { SkillDiagnostic, SkillMetadata } from '@repertoire/skills-core';
import { cardToolsOf } from '@repertoire/skills-core/adapter';
import type { SkillCardMcpServer } from '@repertoire/skills-core/internal';

/** Options of {@link serversOfSkill}. */
export interface ServersOfSkillOptions {
  /** Whether programs of this machine may be started. */
  readonly startsPrograms: boolean;
  /** @default all */
  readonly allow?: ((server: SkillCardMcpServer, skill: SkillMetadata) => boolean) | undefined;
  readonly report: (diagnostic: SkillDiagnostic) => void;
}

/** Decides which servers of a skill may be contacted: none of a skill that is not trusted. */
export function serversOfSkill(
  skill: SkillMetadata,
  { allow, report, startsPrograms }: ServersOfSkillOptions,
): [key: string, server: SkillCardMcpServer][] {
  if (skill.origin?.trusted !== true) return [];
  const { mcps, diagnostics } = cardToolsOf(skill);
  for (const diagnostic of diagnostics) report(diagnostic);
  return Object.entries(mcps).filter(([key, server]) => {
    if (allow?.(server, skill) === false) return false;
    if (server.transport !== 'stdio' || startsPrograms) return true;
    report({
      severity: 'warning',
      code: 'skill-tools',
      skill: skill.name,
      message: `The MCP server ${JSON.stringify(key)} of skill ${JSON.stringify(skill.name)} runs a program on this machine, which is not allowed.`,
      fix: 'Give mcpTools the option stdio, if you trust what the skill starts.',
    });
    return false;
  });
}
