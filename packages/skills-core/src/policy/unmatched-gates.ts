import { nearNames } from '../contract/near-names.ts';
import type { SkillDiagnostic } from '../contract/skill-provider.ts';
import { matchWildcard } from './allowed-tools/wildcard.ts';
import type { GatedTools } from './gates.ts';

/**
 * A declared name that no tool has, while a tool with nearly that name stays open: a typing error that would leave the tool unprotected. A name without such a tool may
 * belong to one that a skill brings later.
 */
export function unmatchedGates(declared: GatedTools, tools: readonly string[] | undefined): SkillDiagnostic[] {
  if (declared === 'named' || tools === undefined) return [];
  const open = tools.filter((tool) => !declared.some((pattern) => matchWildcard(pattern, tool)));
  return declared.flatMap((name): SkillDiagnostic[] => {
    if (name.includes('*') || tools.includes(name)) return [];
    const [near] = nearNames(name, open);
    if (near === undefined) return [];
    return [
      {
        code: 'gate-without-tool',
        severity: 'error',
        message: `gates.tools names ${JSON.stringify(name)}, and no tool has that name. The tool ${JSON.stringify(near)} is open.`,
        fix: `If that tool was meant, write gates: { tools: [${JSON.stringify(near)}] }.`,
      },
    ];
  });
}
