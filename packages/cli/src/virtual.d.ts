/**
 * Types of the modules that `skillsPlugin` of `@repertoire/cli/plugin` makes. Put
 * `"types": ["@repertoire/cli/virtual"]` into the `compilerOptions` of your tsconfig.json, or
 * `/// <reference types="@repertoire/cli/virtual" />` at the top of a file.
 */

declare module 'virtual:repertoire-skills' {
  import type { SkillDefinition, SkillLock } from '@repertoire/skills-core';

  /** The skills: give them to `createSkillset({ skills })` or `new SkillRegistry({ skills })`. */
  export const skills: readonly SkillDefinition[];
  /** Digests of these skills, for `diffSkillLock`. */
  export const lock: SkillLock;
}

/** Further sets of skills: the option `module` of the plugin. */
declare module 'virtual:repertoire-skills/*' {
  import type { SkillDefinition, SkillLock } from '@repertoire/skills-core';

  export const skills: readonly SkillDefinition[];
  export const lock: SkillLock;
}
