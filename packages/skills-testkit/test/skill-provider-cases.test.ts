import { SkillError, type SkillProvider } from '@repertoire/skills-core';
import { skillProviderCases, type KnownFailure, type SkillProviderCase, type SkillProviderTestConfig } from '@repertoire/skills-testkit';
import { type SkillProviderRequirementId, skillProviderRequirements } from '../src/conformance/requirements.ts';
import { describe, expect, it } from 'vitest';
import { assertEqual } from '../src/conformance/assert.ts';
import { conformanceCases } from '../src/conformance/skill-provider-cases.ts';
import { furtherMutants } from './mutants/further.ts';
import { mutants } from './mutants/index.ts';
import { referenceConfig, referenceSource } from './reference-source.ts';

const ids = skillProviderRequirements.map(({ id }) => id);

/** Fails in `list/complete`, and nowhere else. */
const incomplete = mutants['list/complete'].mutate;

function caseOf(config: SkillProviderTestConfig, id: SkillProviderRequirementId): SkillProviderCase {
  const found = skillProviderCases(config).find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`No case ${id}.`);
  return found;
}

describe('CON-4: requirements, cases and mutants', () => {
  it('CON-4: every requirement has one case, every case a requirement, and both a mutant', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(conformanceCases).sort()).toEqual([...ids].sort());
    expect(Object.keys(mutants).sort()).toEqual([...ids].sort());
    expect(furtherMutants.length).toBeGreaterThan(20);
  });

  it('CON-4: ids are stable', () => {
    // Third parties name these ids in their known failures: after the first release, they are added and never renamed.
    expect([...ids].sort().join('\n')).toBe(
      `abort/before abort/during abort/others abort/stalled concurrency/same-answers contract/abilities contract/promises contract/shape
      dispose/twice dispose/unavailable failing/abort-first failing/rejects isolation/bytes isolation/list isolation/skill list/bad-skill
      list/complete list/diagnostics list/empty list/level-1-only list/other-fields list/shape list/stable list/standard-fields list/unique
      origin/label origin/not-claimed pinned/content pinned/content-follows pinned/content-of pinned/digest pinned/other pinned/place
      read/as-listed read/bytes read/case read/hostile read/max-bytes read/not-normal read/odd-names read/other-skill read/prototype-names
      read/size-when-cut read/skill-md read/text-untouched read/unknown resources/complete resources/digests resources/kinds resources/media-types
      resources/nfc resources/sizes resources/with-bytes skill/body skill/body-text skill/diagnostics skill/no-contents skill/prototype-names
      skill/same-level-1 skill/unicode-names skill/unknown version/exact version/null version/unknown versions/newest versions/own-files
      watch/bursts watch/ends watch/fresh watch/tells write/adds-and-removes write/compares write/names write/one-of-two write/replaces`
        .split(/\s+/)
        .join('\n'),
    );
  });
});

describe('CON-3, CON-4: which cases run', () => {
  it('runs the cases of an ability exactly where it is declared', () => {
    const { abilities: _abilities, ...none } = referenceConfig();
    const withAbility = (config: SkillProviderTestConfig) =>
      new Set(
        skillProviderCases(config).flatMap(
          ({ id }) => skillProviderRequirements.find((requirement) => requirement.id === id)?.ability ?? [],
        ),
      );
    expect(withAbility(none)).toEqual(new Set());
    expect(withAbility({ ...none, abilities: ['watch'] })).toEqual(new Set(['watch']));
    expect(withAbility(referenceConfig())).toEqual(new Set(['watch', 'dispose', 'versions', 'write']));
  });

  it('runs the cases of a hook exactly where it is given', () => {
    const { failing, stalled: _stalled, ...none } = referenceConfig();
    const idsOf = (config: SkillProviderTestConfig) => skillProviderCases(config).map(({ id }) => id);
    expect(idsOf(none).filter((id) => /^failing|stalled$/.test(id))).toEqual([]);
    expect(idsOf({ ...none, failing }).filter((id) => /^failing|stalled$/.test(id))).toEqual(['failing/rejects', 'failing/abort-first']);
  });

  it('asks for abilities that the provider has and the configuration does not declare', async () => {
    await expect(caseOf({ ...referenceConfig(), abilities: ['versions'] }, 'contract/abilities').run()).rejects.toThrow(
      'add watch, dispose, write, raw to `abilities`',
    );
    await expect(
      caseOf({ ...referenceConfig(), abilities: ['watch', 'dispose', 'write', 'raw'] }, 'contract/abilities').run(),
    ).rejects.toThrow('add versions');
  });

  it('does not take declared abilities on trust', async () => {
    const bare = ({ label, listSkills, getSkill, readResource }: SkillProvider) => ({ label, listSkills, getSkill, readResource });
    const config = referenceConfig(bare);
    await expect(caseOf(config, 'contract/abilities').run()).rejects.toThrow('watch, dispose');
    for (const id of ['watch/tells', 'dispose/twice'] as const) await expect(caseOf(config, id).run()).rejects.toThrow('declares');
    const newestOnly = (provider: Required<SkillProvider>): SkillProvider => ({
      ...provider,
      listSkills: async (options) => {
        const listing = await provider.listSkills(options);
        return { ...listing, skills: [...new Map(listing.skills.toReversed().map((skill) => [skill.name, skill])).values()] };
      },
    });
    await expect(caseOf(referenceConfig(newestOnly), 'contract/abilities').run()).rejects.toThrow('does not have: versions.');
  });

  it('needs `change` where watch is declared', async () => {
    const config = referenceConfig();
    const create: SkillProviderTestConfig['create'] = async (files) => ({ provider: (await referenceSource(files)).provider });
    await expect(caseOf({ ...config, create }, 'watch/tells').run()).rejects.toThrow('needs `change`');
  });
});

describe('CON-4: known failures', () => {
  const withKnown = (knownFailures: readonly KnownFailure[]) => ({ ...referenceConfig(incomplete), knownFailures });

  it('must fail: a case that fails passes, and its title says why', async () => {
    const known = caseOf(withKnown([{ id: 'list/complete', reason: 'the server tells no end' }]), 'list/complete');
    expect(known.title).toBe('list/complete: known failure, the server tells no end');
    await expect(known.run()).resolves.toBeUndefined();
  });

  it('must fail: a case that passes fails', async () => {
    const known = caseOf(withKnown([{ id: 'list/stable', reason: 'was slow once' }]), 'list/stable');
    await expect(known.run()).rejects.toThrow('Remove it from knownFailures');
  });

  it('does not excuse a configuration that makes no source', async () => {
    const create = () => Promise.reject(new Error('no disk'));
    const config = { ...withKnown([{ id: 'list/complete', reason: 'the server tells no end' }]), create };
    await expect(caseOf(config, 'list/complete').run()).rejects.toThrow('could not make a source: Error: no disk');
  });

  it.each([
    { known: { id: 'list/complete', reason: ' ' }, why: 'it has no reason' },
    { known: { id: 'list/no-such-case', reason: 'because' }, why: 'no case of this id runs' },
    { known: { id: 'watch/bursts', reason: 'because' }, why: 'a declared ability has to hold' },
    { known: { id: 'contract/abilities', reason: 'because' }, why: 'a declared ability has to hold' },
  ])('are refused at once: $known.id, since $why', ({ known, why }) => {
    const register = () => skillProviderCases(withKnown([known as KnownFailure]));
    expect(register).toThrow(SkillError);
    expect(register).toThrow(why);
  });

  it('are refused for cases that do not run', () => {
    const { stalled: _stalled, ...config } = withKnown([{ id: 'abort/stalled', reason: 'because' }]);
    expect(() => skillProviderCases(config)).toThrow('no case of this id runs');
  });
});

describe('CON-4: what the suite takes away', () => {
  it('disposes the provider and then the source, after a case that fails too', async () => {
    const events: string[] = [];
    const config = referenceConfig(incomplete);
    const create: SkillProviderTestConfig['create'] = async (files) => {
      const source = await config.create(files);
      const disposable = { ...source.provider, [Symbol.asyncDispose]: async () => void events.push('provider') };
      return { ...source, provider: disposable, dispose: async () => void events.push('source') };
    };
    await expect(caseOf({ ...config, create }, 'list/complete').run()).rejects.toThrow('`complete` of a source');
    expect(events).toEqual(['provider', 'source']);
  });

  it('fails where the source cannot be taken away, but tells first why the case failed', async () => {
    const failing = (config: SkillProviderTestConfig): SkillProviderTestConfig => ({
      ...config,
      create: async (files) => ({ ...(await config.create(files)), dispose: () => Promise.reject(new Error('the folder is busy')) }),
    });
    await expect(caseOf(failing(referenceConfig()), 'list/complete').run()).rejects.toThrow('the folder is busy');
    await expect(caseOf(failing(referenceConfig(incomplete)), 'list/complete').run()).rejects.toThrow('`complete` of a source');
  });

  it('says what differs, and where', async () => {
    await expect(caseOf(referenceConfig(incomplete), 'list/complete').run()).rejects.toThrow(
      '`complete` of a source without faults: expected true, got false.',
    );
    expect(() => assertEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 255), 'bytes')).toThrow(
      'bytes: expected bytes(2: 01ff), got bytes(2: 0102).',
    );
  });
});
