import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
const locks = 'packages/skill-trust/';
const tests = (...folders: readonly string[]) => folders.map((folder) => `packages/skills-core/test/${folder}`);

/** Mutants of the core: sources, locks and digests. */
export const mutants: readonly Mutant[] = [
  // Sources.
  {
    name: 'hash-never-lets-others-have-their-turn',
    file: `${source}providers/digest/sha256-hex.ts`,
    from: 'await nextTurn();',
    to: '',
    tests: tests('providers/digest/skill-digest.test.ts'),
  },
  {
    name: 'listing-not-sorted',
    file: `${source}providers/read-listing.ts`,
    from: '  if (isInOrder) return diagnostics',
    to: '  if (isInOrder || label !== undefined) return diagnostics',
    tests: tests('providers/read-listing.test.ts'),
  },
  {
    name: 'registry-notify-without-change',
    file: `${source}skillset/skill-registry.ts`,
    from: 'if (found.length > 0) this.#changed();',
    to: 'this.#changed();',
    tests: tests('providers/registry/skill-registry.test.ts'),
  },
  {
    name: 'registry-resources-not-frozen',
    file: `${source}skillset/skill-registry.ts`,
    from: 'resources: Object.freeze({ ...resources })',
    to: 'resources: { ...resources }',
    tests: tests('providers/registry/skill-registry.test.ts'),
  },
  {
    name: 'notifier-late-listener',
    file: `${source}providers/support/change-notifier.ts`,
    from: 'if (this.#listeners.has(listener)) listener',
    to: 'listener',
    tests: tests('providers/registry/skill-registry.test.ts'),
  },
  {
    name: 'compose-version-of-other',
    file: `${source}providers/compose/compose-providers.ts`,
    from: 'return other === null || isTrusted(other) !== isWanted ? undefined : null;',
    to: 'void other;\n    return undefined;',
    tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts'),
  },
  {
    name: 'compose-doubtful-order',
    file: `${source}providers/compose/compose-providers.ts`,
    from: ': [...byPrecedence.filter((source) => !doubtful(source)), ...byPrecedence.filter(doubtful)];',
    to: ': byPrecedence;',
    tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts'),
  },
  {
    name: 'compose-missed-names-free',
    file: `${source}providers/compose/merge-listings.ts`,
    from: 'for (const [name, known] of missed) if (known.trusted === trusted && !owners.has(name)) owners.set(name, label);',
    to: 'void missed;',
    tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts'),
  },
  {
    name: 'compose-failing-sticky',
    file: `${source}providers/compose/composed-source.ts`,
    from: '      this.failing = false;\n',
    to: '',
    tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts'),
  },
  {
    name: 'compose-gates-forgotten',
    file: `${source}providers/compose/compose-providers.ts`,
    from: '    gatedTools: () => [...new Set(providers.flatMap((provider) => provider.gatedTools?.() ?? []))],\n',
    to: '',
    tests: tests('policy/gates.test.ts'),
  },
  {
    name: 'compose-withholds-nothing',
    file: `${source}providers/compose/compose-providers.ts`,
    from: 'if (withholds && !source.heard) throw unknownWhileFailing(name, { label: source.label, error });',
    to: '',
    tests: tests('providers/compose/failures.test.ts', 'providers/compose/identity.test.ts', 'policy/selection.test.ts'),
  },
  {
    name: 'compose-missed-names-endless',
    file: `${source}providers/compose/composed-source.ts`,
    from: 'missed.slice(0, maxMissedNames)',
    to: 'missed',
    tests: tests('providers/compose/failures.test.ts'),
  },
  {
    name: 'wrapper-forgets-gates',
    file: `${source}providers/support/wrap-provider.ts`,
    from: '    ...(provider.gatedTools !== undefined && { gatedTools: () => provider.gatedTools?.() ?? [] }),\n',
    to: '',
    tests: tests('providers/support/wrap-provider.test.ts'),
  },
  {
    name: 'listing-diagnostics-unbounded',
    file: `${source}providers/read-listing.ts`,
    from: 'const diagnostics = boundedDiagnostics(listing.diagnostics);',
    to: 'const { diagnostics } = listing;',
    tests: tests('providers/read-listing.test.ts'),
  },

  // Locks and digests.
  {
    name: 'lock-duplicate-paths',
    file: `${locks}src/lock/locked-provider.ts`,
    from: '    paths.size === skill.resources.length + 1 &&\n',
    to: '',
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'lock-newest-of-lock',
    file: `${locks}src/lock/locked-provider.ts`,
    from: 'if (candidates.length < 2) return candidates[0];',
    to: 'if (candidates.length < 9) return candidates[0];',
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'lock-media-type-of-source',
    file: `${locks}src/lock/locked-provider.ts`,
    from: 'size: bytes.length, mediaType: mediaTypeOf(path), digest',
    to: 'size: bytes.length, mediaType: resource.mediaType, digest',
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'lock-create-other-version',
    file: `${locks}src/lock/create-skill-lock.ts`,
    from: 'skill === null || skill.version !== version',
    to: 'skill === null',
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'lock-incomplete-listing',
    file: `${locks}src/lock/create-skill-lock.ts`,
    from: 'if (!listing.complete)',
    to: 'if (listing.complete === undefined)',
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'lock-frozen-by-errors',
    file: `${locks}src/lock/locked-provider.ts`,
    from: "mode === 'frozen' && diagnostics.length + gone.length > 0",
    to: "mode === 'frozen' && diagnostics.some((diagnostic) => diagnostic.severity === 'error')",
    tests: [`${locks}test/lock/locked-provider.test.ts`, `${locks}test/lock/skill-lock.test.ts`],
  },
  {
    name: 'digest-of-canonical-text',
    file: `${source}providers/digest/read-skill-md.ts`,
    from: 'if (resource !== null) {',
    to: 'if (resource === undefined) {',
    tests: tests('providers/digest/read-skill-md.test.ts'),
  },
];
