import { SkillError } from '@repertoire/skills-core';
import { abortCases } from '../cases/abort.ts';
import { contractCases } from '../cases/contract.ts';
import { disposeCases } from '../cases/dispose.ts';
import { failingCases } from '../cases/failing.ts';
import { concurrencyCases, isolationCases } from '../cases/isolation.ts';
import { pinnedCases } from '../cases/pinned.ts';
import { listCases } from '../cases/list.ts';
import { originCases } from '../cases/origin.ts';
import { readCases } from '../cases/read.ts';
import { readNullCases } from '../cases/read-null.ts';
import { resourcesCases } from '../cases/resources.ts';
import { skillCases } from '../cases/skill.ts';
import { versionCases, versionsCases } from '../cases/versions.ts';
import { watchCases } from '../cases/watch.ts';
import { writeCases } from '../cases/write.ts';
import { ConformanceSetupError, runCase, type ConformanceCase } from './case-context.ts';
import type { SkillProviderTestConfig } from './config.ts';
import { skillProviderRequirements, type SkillProviderRequirement, type SkillProviderRequirementId } from './requirements.ts';

/** One case of the suite, for any test runner. */
export interface SkillProviderCase {
  /** Id of the requirement that it checks. */
  readonly id: SkillProviderRequirementId;
  /** Id and sentence, for reports. */
  readonly title: string;
  /** Rejects if the requirement does not hold. May be called again. */
  run(): Promise<void>;
}

/** The check of each requirement. */
export const conformanceCases: Readonly<Record<SkillProviderRequirementId, ConformanceCase>> = {
  ...contractCases,
  ...listCases,
  ...skillCases,
  ...versionCases,
  ...versionsCases,
  ...resourcesCases,
  ...readCases,
  ...readNullCases,
  ...abortCases,
  ...isolationCases,
  ...concurrencyCases,
  ...originCases,
  ...pinnedCases,
  ...failingCases,
  ...watchCases,
  ...writeCases,
  ...disposeCases,
};

/**
 * The cases that a source must pass, for any test runner. Cases of abilities and hooks are included
 * only if the configuration has those.
 *
 * @throws {SkillError} `invalid-options` for a known failure without a reason, of an unknown id, of
 *   `contract/abilities`, or of an ability
 * @example With the test runner of Node
 * ```ts
 * import { skillProviderCases, type SkillProviderTestConfig } from '@repertoire/skills-testkit';
 *
 * export function register(test: (title: string, run: () => Promise<void>) => unknown, config: SkillProviderTestConfig): void {
 *   for (const { title, run } of skillProviderCases(config)) test(title, run);
 * }
 * ```
 */
export function skillProviderCases(config: SkillProviderTestConfig): SkillProviderCase[] {
  const requirements = skillProviderRequirements.filter((requirement) => applies(requirement, config));
  const known = knownFailures(requirements, config);
  return requirements.map(({ id, sentence }) => {
    const check = () => runCase(conformanceCases[id], config);
    const reason = known.get(id);
    return reason === undefined
      ? { id, title: `${id}: ${sentence}`, run: check }
      : { id, title: `${id}: known failure, ${reason}`, run: () => mustFail(check, id, reason) };
  });
}

function applies({ ability, hook }: SkillProviderRequirement, config: SkillProviderTestConfig): boolean {
  if (ability !== undefined) return config.abilities?.includes(ability) ?? false;
  return hook === undefined || config[hook] !== undefined;
}

function knownFailures(requirements: readonly SkillProviderRequirement[], config: SkillProviderTestConfig): Map<string, string> {
  const known = new Map<string, string>();
  for (const { id, reason } of config.knownFailures ?? []) {
    const requirement = requirements.find((candidate) => candidate.id === id);
    if (requirement === undefined) {
      throw invalid(config, id, 'no case of this id runs. See the `id` of `skillProviderCases`, and remove the entry or correct it');
    }
    if (reason.trim() === '') throw invalid(config, id, 'it has no reason. Say why the case fails');
    if (requirement.ability !== undefined || id === 'contract/abilities')
      throw invalid(config, id, 'a declared ability has to hold. Do not declare it, or fix it');
    known.set(id, reason);
  }
  return known;
}

function invalid(config: SkillProviderTestConfig, id: string, why: string): SkillError {
  return new SkillError('invalid-options', `Known failure ${JSON.stringify(id)} of "${config.name}" is not allowed: ${why}.`);
}

async function mustFail(check: () => Promise<void>, id: string, reason: string): Promise<void> {
  const failure = await check().then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (failure === null) throw new Error(`${id} is listed as a known failure (${reason}) but passes. Remove it from knownFailures.`);
  if (failure.error instanceof ConformanceSetupError) throw failure.error;
}
