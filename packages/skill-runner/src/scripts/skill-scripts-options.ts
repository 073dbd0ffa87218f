import type { Skill } from '@repertoire/skills-core';
import type { SkillRunOptions } from '@repertoire/skills-core/provider';

/** Options of `skillScripts`. */
export interface SkillScriptsOptions extends Pick<SkillRunOptions, 'env' | 'timeoutMs' | 'maxOutputBytes'> {
  /**
   * Whether `` !`command` `` in a body is replaced by the command's output when the skill is loaded.
   * @default false
   */
  readonly snippets?: boolean | undefined;
  /** Files that every script gets besides those of its skill, such as an upload: called for each run. @default none */
  readonly inputs?: ((skill: Skill) => SkillRunOptions['inputs'] | Promise<SkillRunOptions['inputs']>) | undefined;
  /** Extensions of files that are scripts, with their dot. @default those that the runners of `@repertoire/skill-runner` know */
  readonly extensions?: readonly string[] | undefined;
}
