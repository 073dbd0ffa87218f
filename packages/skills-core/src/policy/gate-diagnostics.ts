import { isTrusted } from '../contract/is-trusted.ts';
import { nearNames } from '../contract/near-names.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { matchWildcard } from './allowed-tools/wildcard.ts';
import { gateRules, type GatedTools, type GateInput } from './gates.ts';

/**
 * Returns what the host should know about its gates: files that name a tool without closing it,
 * gates that nothing opens, and gates of no tool.
 *
 * @param handed names of the tools that the host hands over in this session
 */
export function gateDiagnostics(input: GateInput, handed: readonly string[] | undefined): SkillDiagnostic[] {
  const gates = gateRules(input);
  const diagnostics: SkillDiagnostic[] = [];
  for (const tool of handed ?? []) {
    const naming = input.listed.filter(({ tools }) => tools?.includes(tool));
    const quoted = JSON.stringify(tool);
    const trusted = naming.find((skill) => isTrusted(skill) || input.asksPerson);
    if (gates.isGated(tool)) {
      if (trusted === undefined && ![...input.toolsOfSkills.values()].some((tools) => tools.includes(tool)))
        diagnostics.push({
          code: 'gate-without-skill',
          severity: 'warning',
          message: `The tool ${quoted} is gated, and ${naming[0] === undefined ? 'no trusted skill that is listed now names it' : `the skill ${JSON.stringify(naming[0].name)}, which names it, is not trusted`}, so nothing opens it.`,
          fix: 'Check the spelling of `tools` in the skill, and that its source answers and is trusted (`trusted: true`).',
        });
      continue;
    }
    if (trusted !== undefined && input.openOnPurpose !== true)
      diagnostics.push({
        code: 'tool-not-gated',
        severity: 'warning',
        skill: trusted.name,
        message: `Skill ${JSON.stringify(trusted.name)} names the tool ${quoted}, which is open without it: a file closes nothing by itself.`,
        fix: `To close it until the skill is loaded, declare it: createSkillset({ gates: { tools: [${quoted}] } }). If all tools are to be open, write gates: { tools: [] }.`,
      });
    const untrusted = naming.find((skill) => !isTrusted(skill) && !input.asksPerson);
    if (untrusted !== undefined)
      diagnostics.push({
        code: 'untrusted-tools',
        severity: 'info',
        skill: untrusted.name,
        message: `The untrusted skill ${JSON.stringify(untrusted.name)} names the tool ${quoted}. That has no effect.`,
        fix: 'Trust the source if its skills may open tools.',
      });
  }
  return [...diagnostics, ...unmatchedGates(input.declared, handed, input.listed)];
}

/**
 * What the host declared as gated and no tool has: a typing error would leave a tool unprotected.
 * An error where a tool of nearly that name is open, else a warning. Names that a listed skill
 * names are left out: the skill may bring such a tool, or be for another agent.
 *
 * @param tools those of the session; of none, nothing is open. @default unknown, so nothing is
 *   reported
 */
function unmatchedGates(
  declared: GatedTools,
  tools: readonly string[] | undefined,
  listed: readonly Pick<SkillMetadata, 'tools'>[],
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
