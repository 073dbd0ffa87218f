import { isModelInvocable, isUserInvocable } from '../catalog/skill-catalog.ts';
import { isTrusted } from '../contract/is-trusted.ts';
import type { SkillDiagnostic, SkillMetadata } from '../contract/skill-provider.ts';
import { matchWildcard } from './allowed-tools/wildcard.ts';

/**
 * Which tools of the host are closed until a skill opens them: names, with `*` for any characters
 * (`billing_*`). `'named'` closes every tool that a trusted, listed skill names; it depends on the
 * listing, so prefer names.
 */
export type GatedTools = readonly string[] | 'named';

/** What the gates of a session are made of. */
export interface GateInput {
  /** What the host declared. */
  readonly declared: GatedTools;
  /** Tools that skills written in code name, whatever is listed now. */
  readonly hostTools: readonly string[];
  /** Tools of skills themselves, by the name of the skill. */
  readonly toolsOfSkills: ReadonlyMap<string, readonly string[]>;
  /** Every skill that the source lists, before the host's selection. */
  readonly listed: readonly SkillMetadata[];
  /** The skills that the host selected for this request. */
  readonly selected: readonly SkillMetadata[];
  /** When the tools of a skill are open, if the skill does not say. */
  readonly autoActivate: 'currentSkill' | 'always';
  /** Whether a person may grant a skill without trust that it opens tools. */
  readonly asksPerson: boolean;
  /** The host declared an empty list, so that tools which files name are open on purpose. */
  readonly openOnPurpose?: boolean | undefined;
}

/** Which tools are closed, and which skills open them. Pure. */
export interface SkillGates {
  /** Whether a tool is closed until a skill opens it. */
  isGated(tool: string): boolean;
  /** The skills that open a tool while they are loaded and pinned. */
  openers(tool: string): readonly SkillMetadata[];
  /** The skills among them that open it from the start. */
  opensFromStart(tool: string): readonly SkillMetadata[];
  /** Names of the skills that a model could load to open the tool. */
  openedBy(tool: string): readonly string[];
  /** Whether only a person can start the skill that opens it. */
  needsPerson(tool: string): boolean;
}

/**
 * The gates of a session. What a host declared stays closed whatever the source lists, fails to
 * list or lists differently: only a loaded, trusted, selected skill that names the tool opens it.
 * An untrusted skill neither closes nor opens anything.
 */
export function skillGates(input: GateInput): SkillGates {
  const { declared, toolsOfSkills } = input;
  let hosts: ReadonlySet<string> | undefined;
  // Most sessions ask about few tools, so the listing is walked on demand.
  const isHosts = (tool: string) =>
    (hosts ??= toolsOfHost(input)).has(tool) || (declared !== 'named' && declared.some((pattern) => matchWildcard(pattern, tool)));
  const isOfSkill = (tool: string) => [...toolsOfSkills.values()].some((tools) => tools.includes(tool));
  const isDeclared = (tool: string) => isHosts(tool) || isOfSkill(tool);
  const isNamed = (tool: string) => declared === 'named' && input.listed.some((skill) => isTrusted(skill) && skill.tools?.includes(tool));
  const openers = (tool: string) =>
    input.selected.filter(
      (skill) =>
        (isTrusted(skill) || input.asksPerson) &&
        // A tool of a skill opens no gate of the host that has its name.
        (skill.tools?.includes(tool) === true || (toolsOfSkills.get(skill.name)?.includes(tool) === true && !isHosts(tool))),
    );
  const opensAlways = (skill: SkillMetadata, tool: string) =>
    (skill.autoActivate ?? input.autoActivate) === 'always' && (isHostCode(skill) || !isDeclared(tool));

  return {
    isGated: (tool) => isDeclared(tool) || isNamed(tool),
    openers,
    opensFromStart: (tool) => openers(tool).filter((skill) => isTrusted(skill) && opensAlways(skill, tool)),
    openedBy: (tool) => [...new Set(openers(tool).flatMap((skill) => (isModelInvocable(skill) ? [skill.name] : [])))],
    needsPerson: (tool) => openers(tool).some((skill) => !isModelInvocable(skill) && isUserInvocable(skill)),
  };
}

/** Tools that the host closes by its code, whatever it declares. */
function toolsOfHost({ hostTools, listed }: GateInput): ReadonlySet<string> {
  return new Set([...hostTools, ...listed.filter(isHostCode).flatMap(({ tools }) => tools ?? [])]);
}

/** Whether a skill is the host's own code, so that its fields count as the host's decision. */
function isHostCode(skill: SkillMetadata): boolean {
  return isTrusted(skill) && skill.origin?.kind === 'code';
}

/**
 * What the host should know about its gates: files that name a tool without closing it, and gates
 * that nothing opens.
 *
 * @param handed names of the tools that the host hands over in this session
 */
export function gateDiagnostics(input: GateInput, gates: SkillGates, handed: readonly string[]): SkillDiagnostic[] {
  const diagnostics: SkillDiagnostic[] = [];
  for (const tool of handed) {
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
  return diagnostics;
}
