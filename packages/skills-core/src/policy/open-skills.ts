import type { SkillMetadata } from '../contract/skill-provider.ts';
import { loadedSkill, loadedSkillNames, type SkillState } from '../state/skill-state.ts';
import type { SkillGates } from './gates.ts';
import type { SkillGrant } from './approvals/skill-grants.ts';
import { inForce, listedIdentity, type NotInForce, type PresentSkills } from './in-force.ts';

/** What decides whether a gate is open. */
export interface OpenSkillsInput {
  /** The gates by what the source lists at this moment. Rejects if it cannot answer. */
  gatesNow(): Promise<Pick<SkillGates, 'openers' | 'opensFromStart'>>;
  readonly present: PresentSkills;
  readonly state: SkillState;
}

/** Skills that hold the gate of a tool open, and loaded ones that would if unchanged. */
export interface OpenSkills {
  /** Names; those that open it from the start come first. */
  readonly open: readonly string[];
  readonly fromStart: boolean;
  readonly changed: readonly NotInForce[];
}

/** Looks which skills hold the gate of a tool open now. */
export async function openSkills({ gatesNow, present, state }: OpenSkillsInput, tool: string): Promise<OpenSkills> {
  const gates = await gatesNow();
  for (const skill of gates.opensFromStart(tool)) {
    const grants = await present.grantsOf(skill, skill.content);
    if (grants.has('tools') && (await present.mayLoad(skill))) return { open: [skill.name], fromStart: true, changed: [] };
  }
  const open: string[] = [];
  const changed: NotInForce[] = [];
  let failure: { readonly error: unknown } | undefined;
  const openers = gates.openers(tool);
  if (openers.length === 0) return { open, fromStart: false, changed };
  for (const name of loadedSkillNames(state)) {
    const loaded = loadedSkill(state, name);
    // The loaded identity counts, which need not be the skill that has this name now.
    const opener = loaded && listedIdentity(openers, name, loaded);
    if (opener === undefined && !openers.some((skill) => skill.name === name)) continue;
    const look = await inForce(present, state, name).catch((error: unknown) => ({ error }));
    if ('error' in look) failure ??= look;
    else if (!look.inForce) changed.push(look);
    else if (look.skill === opener && look.grants.has(grantToOpen(opener, tool))) open.push(name);
  }
  // A source that is down opens nothing, and closes nothing that a skill of another one opens.
  if (open.length === 0 && failure !== undefined) throw failure.error;
  return { open, fromStart: false, changed };
}

/** A tool that a skill names is opened by another grant than one that its own server brings. */
function grantToOpen({ tools }: SkillMetadata, tool: string): SkillGrant {
  return tools?.includes(tool) === true ? 'tools' : 'mcp-servers';
}
