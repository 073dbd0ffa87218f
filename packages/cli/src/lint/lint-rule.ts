import type { SkillDiagnostic } from '@repertoire/skills-core';
import type { ParsedSkillMd } from '@repertoire/skills-core/skill-md';

/** A skill as rules see it: everything was read before, so that rules are pure. */
export interface LintSkill {
  /** Absolute path of its folder; `null` for a skill that a source serves. */
  readonly folder: string | null;
  /** Path of its `SKILL.md` as people name it. */
  readonly path: string;
  /** Name by its frontmatter, or of its folder. */
  readonly name: string;
  /** `SKILL.md` as text. */
  readonly text: string;
  readonly parsed: ParsedSkillMd;
  /** What the standard's reference validator refuses. */
  readonly strict: ParsedSkillMd['diagnostics'];
  /** Line of the file in which the body begins, from 1. */
  readonly bodyLine: number;
  /** Every other file, by path. */
  readonly files: readonly LintFile[];
  /** Of everything that was read. @default unknown, as of what a source serves */
  readonly digest?: string | undefined;
  /** Where it is read: an address for reports. @default its path */
  readonly uri?: string | undefined;
  /** Paths of files that were not looked into: links, and what is beyond a limit. */
  readonly unread: readonly string[];
  /** Paths of what is not among `files`: hidden files and folders, and `node_modules`. */
  readonly leftOut: readonly string[];
}

/** One file of a skill besides its `SKILL.md`. */
export interface LintFile {
  /** Path inside the skill, with `/`. */
  readonly path: string;
  /** Whether its owner may execute it; `null` where nobody knows, since only folders tell. */
  readonly isExecutable: boolean | null;
  /** Its text; `null` for files that are not text, or are too large to be looked at. */
  readonly text: string | null;
}

/** The most that skills should have. */
export interface LintBudgets {
  /** Lines of a body. @default 500 */
  readonly bodyLines?: number | undefined;
  /** Tokens of a body. @default 5000 */
  readonly bodyTokens?: number | undefined;
  /** Characters of a description. @default 700 */
  readonly descriptionCharacters?: number | undefined;
}

/** What the host says about all skills. */
export interface LintSettings {
  /** Names of the tools that the agent has; `undefined` if nobody said. */
  readonly tools: readonly string[] | undefined;
  readonly budgets: LintBudgets;
  /** Globs of files that nothing has to mention, added to the known ones. */
  readonly forPeople: readonly string[];
  readonly countTokens: (text: string) => number;
  /** Checks `steps`. @default not checked, where `@repertoire/skill-workflow` is not installed */
  readonly checkSteps?: ((skill: LintSkill) => readonly LintFinding[]) | undefined;
}

/** One thing that a rule found. */
export interface LintFinding extends Omit<SkillDiagnostic, 'code' | 'severity' | 'skill' | 'path'> {
  /** Path inside the skill. @default SKILL.md */
  readonly file?: string | undefined;
}

/** A link or a path of a skill's texts that leads to none of its files. */
export interface LintReference {
  readonly kind: 'link' | 'path';
  /** Path inside the skill of the text that has it. @default SKILL.md */
  readonly file?: string | undefined;
  /** As it is written. */
  readonly target: string;
  /** Relative to the skill's folder; what begins with `..` leaves it. */
  readonly inside: string;
  readonly line: number;
  readonly column?: number | undefined;
}

/** What is known of one skill when skills are compared. Plain data, so that it can be kept. */
export interface LintFacts {
  readonly folder: string | null;
  /** Path of its `SKILL.md` as people name it. */
  readonly path: string;
  readonly name: string;
  readonly version: string | null;
  readonly description: string;
  readonly descriptionLine: number;
  readonly nameLine: number;
  /** Whether a model chooses it by its description. */
  readonly isForModel: boolean;
  readonly files: readonly string[];
  readonly references: readonly LintReference[];
  /** Folder of the plugin that the skill belongs to. @default none */
  readonly plugin?: string | undefined;
}

/** How findings are fixed. Only what cannot change the meaning of a skill is. */
export type LintFix = { readonly kind: 'text'; readonly text: (before: string) => string } | { readonly kind: 'executable' };

/** A rule: one kind of mistake. */
export interface LintRule {
  readonly id: string;
  /** `correctness` rules are on by default; `style` rules are opt-in. */
  readonly kind: 'correctness' | 'style';
  readonly severity: 'error' | 'warning';
  /** One sentence: what it finds. */
  readonly summary: string;
  /** What it finds in one skill. @default nothing */
  readonly check?: ((skill: LintSkill, settings: LintSettings) => readonly LintFinding[] | Promise<readonly LintFinding[]>) | undefined;
  /** Findings among all skills, by the index of the skill. @default nothing */
  readonly checkAll?: ((skills: readonly LintFacts[]) => readonly (readonly [number, LintFinding])[]) | undefined;
  /** Fixes what it found. @default cannot be fixed by a program */
  readonly fix?: LintFix | undefined;
}
