import type { SkillProvider } from '@repertoire/skills-core';
import type { SkillLibraryFiles } from '../fixtures/library-files.ts';
import type { SkillProviderTestConfig, SkillProviderUnderTest } from './config.ts';
import type { SkillProviderRequirementId } from './requirements.ts';

/** What a case receives. */
export interface CaseContext {
  readonly config: SkillProviderTestConfig;
  readonly patience: number;
  /** Creates a source of a library. It is removed after the case. */
  open(files: SkillLibraryFiles): Promise<SkillProviderUnderTest>;
  /** The same, but returns only the provider, which most cases need. */
  provide(files: SkillLibraryFiles): Promise<SkillProvider>;
  /** Creates a source with one of the hooks. It is removed after the case. */
  openBy(create: () => Promise<SkillProviderUnderTest>): Promise<SkillProviderUnderTest>;
}

/** Checks one requirement. Throws if it does not hold. */
export type ConformanceCase = (context: CaseContext) => Promise<void>;

/** All cases of one area, such as `list`. The compiler reports missing and additional ones. */
export type CasesOf<Area extends string> = { readonly [Id in Extract<SkillProviderRequirementId, `${Area}/${string}`>]: ConformanceCase };

/** Thrown if the configuration, not the provider, is wrong. A known failure does not excuse it. */
export class ConformanceSetupError extends Error {
  override readonly name = 'ConformanceSetupError';
}

/** Runs a case with its own context, and removes what it created. */
export async function runCase(run: ConformanceCase, config: SkillProviderTestConfig): Promise<void> {
  const opened: SkillProviderUnderTest[] = [];
  const openBy: CaseContext['openBy'] = async (create) => {
    const source = await create().catch((cause: unknown) => {
      throw new ConformanceSetupError(`The configuration of "${config.name}" could not make a source: ${String(cause)}.`, { cause });
    });
    opened.push(source);
    return source;
  };
  const open: CaseContext['open'] = (files) => openBy(() => config.create(files));
  const provide: CaseContext['provide'] = async (files) => (await open(files)).provider;
  const errors: unknown[] = [];
  const attempt = async (step: () => Promise<void> | undefined) => {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  };
  await attempt(() => run({ config, patience: config.patience ?? 5000, open, provide, openBy }));
  for (const { provider, dispose } of opened.toReversed()) {
    await attempt(() => provider[Symbol.asyncDispose]?.());
    await attempt(() => dispose?.());
  }
  // The first error says what went wrong; errors during the removal may follow from it.
  if (errors.length > 0) throw errors[0];
}
