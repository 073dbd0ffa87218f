import type { Skill } from '@repertoire/skills-core';
import type { SkillRunOptions } from '@repertoire/skills-core/provider';

/** Options of `skillScripts`. */
export interface SkillScriptsOptions extends Pick<SkillRunOptions, 'env' | 'timeoutMs' | 'maxOutputBytes'> {
  /**
   * Whether `` !`command` `` in a body is replaced by the command's output when the skill is
   * loaded.
   * @default false
   */
  readonly snippets?: boolean | undefined;
  /**
   * Absolute path of a folder of the host in which the commands of a body start, and which they may
   * read: the project of a coding agent. `git` gets variables that keep it from writing to it and
   * from running programs that its configuration names.
   * @default none: commands start in the skill's own folder
   */
  readonly project?: string | undefined;
  /** Files that each run gets besides those of its skill, such as an upload. @default none */
  readonly inputs?: ((skill: Skill) => SkillRunOptions['inputs'] | Promise<SkillRunOptions['inputs']>) | undefined;
  /** Extensions of scripts, with their dot. @default those that our runners know */
  readonly extensions?: readonly string[] | undefined;
}
