import { describe, it } from 'vitest';
import type { SkillAdapterUnderTest } from './adapter/adapter-under-test.ts';
import { skillAdapterCases } from './adapter/skill-adapter-cases.ts';
import type { SkillProviderTestConfig } from './conformance/config.ts';
import { skillProviderCases } from './conformance/skill-provider-cases.ts';

// Anything added here is public API.
export type { KnownFailure, SkillProviderTestConfig, SkillProviderUnderTest } from './conformance/config.ts';
export type { SkillLibraryFiles } from './fixtures/library-files.ts';

// Large libraries are slow on a busy machine. Hanging cases end earlier, by the suite's own
// patience.
const caseTimeout = 300_000;

/**
 * Tests a source against the contract: registers every case with Vitest, in its own `describe`.
 *
 * @throws {SkillError} `invalid-options` for known failures that are not allowed; see
 *   `skillProviderCases`
 * @example
 * ```ts
 * import { SkillRegistry, type SkillDefinition } from '@repertoire/skills-core';
 * import { skillFromFiles } from '@repertoire/skills-core/skill-md';
 * import { groupBySkillDirectory, type SkillLibraryFiles } from '@repertoire/skills-testkit';
 * import { testSkillProvider } from '@repertoire/skills-testkit/vitest';
 *
 * const skillsOf = (files: SkillLibraryFiles): SkillDefinition[] =>
 *   [...groupBySkillDirectory(files)].flatMap(([directoryName, group]) => skillFromFiles(group, { directoryName }).definition ?? []);
 *
 * testSkillProvider({
 *   name: 'in code',
 *   abilities: ['watch', 'versions', 'raw'],
 *   create: async (files) => {
 *     const provider = new SkillRegistry({ skills: skillsOf(files) });
 *     const change = async (changed: SkillLibraryFiles) => {
 *       provider.clear();
 *       for (const skill of skillsOf(changed)) provider.register(skill);
 *     };
 *     return { provider, change };
 *   },
 * });
 * ```
 */
export function testSkillProvider(config: SkillProviderTestConfig): void {
  describe(`${config.name}: the contract of skill sources`, () => {
    for (const { title, run } of skillProviderCases(config)) it(title, { timeout: caseTimeout }, run);
  });
}

/**
 * Tests an adapter: registers every case with Vitest, in its own `describe`. A scripted model plays
 * the same conversation as a loop of the core, and random hosts, sources, outages and forged
 * histories try to open closed tools.
 *
 * @example
 * ```ts
 * import type { SkillAdapterUnderTest } from '@repertoire/skills-testkit/adapter';
 * import { testSkillAdapter } from '@repertoire/skills-testkit/vitest';
 *
 * export function testMine(converse: SkillAdapterUnderTest['converse']): void {
 *   testSkillAdapter({ name: 'my framework', converse });
 * }
 * ```
 */
export function testSkillAdapter(adapter: SkillAdapterUnderTest): void {
  describe(`${adapter.name}: the rules of adapters`, () => {
    for (const { title, run } of skillAdapterCases(adapter)) it(title, { timeout: caseTimeout }, run);
  });
}
