import { fileSystemSkillProvider } from '@repertoire/skill-fs';
import { processRunner } from '@repertoire/skill-runner/process';
import { skillScripts } from '@repertoire/skill-runner/scripts';
import { createSkillset, type SkillActivity, type Skillset } from '@repertoire/skills-core';
import type { Table } from './read-table.ts';

/** Options of {@link analystSkills}. */
export interface AnalystSkillsOptions {
  readonly table: Table;
  /** Refuses to run scripts without confinement. */
  readonly requireConfinement: boolean;
  readonly onEvent: (activity: SkillActivity) => void;
}

/** The skill for CSV files. Its scripts get the person's file below `inputs`. */
export function analystSkills({ table, requireConfinement, onEvent }: AnalystSkillsOptions): Skillset {
  return createSkillset({
    provider: fileSystemSkillProvider({ label: 'examples', roots: [new URL('../../skills/', import.meta.url)] }),
    audience: { select: ({ name }) => name === 'csv-profile' },
    scripts: skillScripts(processRunner({ timeoutMs: 20_000, requireConfinement }), { inputs: () => ({ [table.path]: table.bytes }) }),
    onEvent,
  });
}
