import type { SkillDiagnostic, Skill } from '../../contract/skill-provider.ts';
import type { SkillTool } from '../skill-tool.ts';

/**
 * What a skillset does with the scripts of skills: `skillScripts(runner)` of `@repertoire/skills-core/scripts` makes it. A host that runs no
 * scripts carries none of it. `Environment` is what a session gives its tools.
 */
export interface SkillScripts<Environment = never> {
  /** The tool that runs a script. */
  tool(environment: Environment): SkillTool;
  /** What stands behind the body of a skill: its scripts and how to run them. Empty if it has none. */
  describe(environment: Environment, skill: Skill, signal: AbortSignal | undefined): Promise<string>;
  /** Whether a body has commands that would run. */
  hasSnippets(skill: Skill): boolean;
  /** The body with its commands replaced by their output, and with its arguments. */
  expand(environment: Environment, skill: Skill, given: string | undefined, signal: AbortSignal | undefined): Promise<ExpandedBody>;
  /** The body with a note in place of each command, for a text that is put back: nothing runs then. */
  withoutOutput(skill: Skill): string;
}

/** A body whose commands ran. */
export interface ExpandedBody {
  readonly body: string;
  readonly diagnostics: readonly SkillDiagnostic[];
}
