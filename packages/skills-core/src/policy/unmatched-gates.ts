import { nearNames } from '../contract/near-names.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { matchWildcard } from './allowed-tools/wildcard.ts';
import type { GatedTools } from './gates.ts';

/**
 * What the host declared as gated and no tool has: a typing error would leave a tool unprotected.
 * An error where a tool of nearly that name is open, else a warning. Names that a listed skill
 * names are left out: the skill may bring such a tool, or be for another agent.
 *
 * @param tools those of the session; of none, nothing is open. @default unknown, so nothing is
 *   reported
 */
export function unmatchedGates(
  declared: GatedTools,
  tools: readonly string[] | undefined,
  listed: readonly Pick<SkillMetadata, 'tools'>[] = [],
): SkillDiagnostic[] {
  if (declared === 'named' || tools === undefined || tools.length === 0) return [];
  const open = tools.filter((tool) => !declared.some((pattern) => matchWildcard(pattern, tool)));
  const ofSkills = new Set(listed.flatMap((skill) => skill.tools ?? []));
  const matches = (pattern: string, names: Iterable<string>) => [...names].some((name) => matchWildcard(pattern, name));
  return declared.flatMap((name): SkillDiagnostic[] => {
    if (matches(name, tools)) return [];
    const isPattern = name.includes('*');
    const [near] = isPattern ? [] : nearNames(name, open);
    const quoted = JSON.stringify(name);
    if (near !== undefined) {
      const message = `gates.tools names ${quoted}, and no tool has that name. The tool ${JSON.stringify(near)} is open.`;
      const fix = `If that tool was meant, write gates: { tools: [${JSON.stringify(near)}] }.`;
      return [{ code: 'gate-without-tool', severity: 'error', message, fix }];
    }
    if (matches(name, ofSkills)) return [];
    const message = isPattern
      ? `gates.tools has the pattern ${quoted}, and it matches no tool.`
      : `gates.tools names ${quoted}, and neither a tool nor a skill has that name.`;
    const fix = `It closes nothing here. Correct it, or pass the tools that an adapter does not see as otherTools. The tools are ${tools.slice(0, maxNamed).join(', ')}.`;
    return [{ code: 'gate-without-tool', severity: 'warning', message, fix }];
  });
}

const maxNamed = 20;
