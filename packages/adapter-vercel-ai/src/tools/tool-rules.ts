import { emptySkillState, lockedToolError, SkillError, type SkillCatalog, type Skillset, type SkillState } from '@repertoire/skills-core';

/** What the skills of a catalog mean for tools of the host. */
export interface ToolRules {
  /** Tools that are locked at the start of a conversation, with the skills that open them. */
  readonly lockable: ReadonlyMap<string, readonly string[]>;
  /** Whether loaded skills may restrict the tools of the host, by their `allowed-tools`. */
  readonly restricting: boolean;
  isOpen(tool: string, state: SkillState): boolean;
  /** Why a call must not be made now: its tool is locked, or `allowed-tools` of the loaded skills are against it. */
  refusal(tool: string, input: unknown, state: SkillState): SkillError | null;
  /** Whether a person need not be asked, by `allowed-tools` of the loaded skills. */
  isPreApproved(tool: string, input: unknown, state: SkillState): boolean;
}

export function toolRules<Context>(skillset: Skillset<Context>, catalog: SkillCatalog<Context>, names: readonly string[]): ToolRules {
  const lockable = new Map<string, readonly string[]>();
  for (const name of names) {
    const access = skillset.toolAccess(catalog, emptySkillState, name);
    if (!access.open) lockable.set(name, access.openedBy);
  }
  return {
    lockable,
    restricting: catalog.listed.some(({ allowedTools }) => allowedTools !== undefined),
    isOpen: (tool, state) => skillset.toolAccess(catalog, state, tool).open,
    refusal(tool, input, state) {
      const access = skillset.toolAccess(catalog, state, tool);
      if (!access.open) return lockedToolError(tool, access.openedBy, skillset.toolNames);
      const { decision, because } = skillset.toolDecision(catalog, state, { tool, input });
      return decision === 'denied' ? new SkillError('permission-denied', because) : null;
    },
    isPreApproved: (tool, input, state) => skillset.toolDecision(catalog, state, { tool, input }).decision === 'pre-approved',
  };
}
