import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
/** Random programs of loads, edits, outages and restarts. */
const property = ['packages/skill-runner/test/held-properties.test.ts'];
const core = (...files: readonly string[]) => files.map((file) => `packages/skills-core/test/${file}`);

/** Mutants of what binds a conversation to what it loaded. */
export const mutants: readonly Mutant[] = [
  {
    name: 'held-file-not-compared',
    file: `${source}tools/held/read-held-file.ts`,
    from: 'if (file === null || (await sha256Hex(file.bytes)) !== digest) {',
    to: 'if (file === null) {',
    tests: property,
  },
  {
    name: 'held-skill-of-any-revision',
    file: `${source}tools/held/read-held-skill.ts`,
    from: 'return revisionOf(skill, content) === loaded.revision ? content : undefined;',
    to: 'return content;',
    tests: property,
  },
  {
    name: 'look-ignores-content',
    file: `${source}policy/held/look-at-loaded.ts`,
    from: 'const content = await present.contentOf(skill, loaded, options);',
    to: 'const content = loaded.content;',
    tests: property,
  },
  {
    name: 'look-ignores-level-one',
    file: `${source}policy/held/look-at-loaded.ts`,
    from: 'return revisionOf(skill, content) === loaded.revision\n',
    to: 'return content === loaded.content\n',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'look-ignores-trust',
    file: `${source}policy/held/look-at-loaded.ts`,
    from: "  if (isTrusted(skill) === (loaded.untrusted === true)) return { status: 'changed', name, reason: 'trust', skill };\n",
    to: '',
    tests: core('tools/held/held-skills.test.ts'),
    equivalent: 'the revision has trust in it, so it differs as well',
  },
  {
    name: 'look-forgets-a-change',
    file: `${source}policy/held/look-at-loaded.ts`,
    from: "  if (loaded.changed === true) return { status: 'changed', name, reason: 'content', skill };\n",
    to: '',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'gate-without-look',
    file: `${source}policy/open-skills.ts`,
    from: "const look = await lookAtLoaded(present, state, name).catch((error: unknown) => ({ status: 'failed', error }) as const);",
    to: "void [lookAtLoaded, present];\n    if (opener === undefined) continue;\n    const look = { status: 'held', name, skill: opener } as LoadedLook | { status: 'failed'; error: unknown };",
    tests: property,
  },
  {
    name: 'gate-of-another-skill-of-the-name',
    file: `${source}policy/open-skills.ts`,
    from: 'else if (look.skill === opener && look.grants.has(grantToOpen(opener, tool)) &&',
    to: "else if (look.grants.has('tools') && grantToOpen(look.skill, tool) !== undefined &&",
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'run-of-any-files',
    file: `${source}tools/held/read-held-files.ts`,
    from: "  if (typeof skill.content === 'string' && whole.digest !== skill.content) throw await changed();\n",
    to: '',
    tests: property,
  },
  {
    name: 'run-without-look',
    file: `${source}tools/held/assert-held.ts`,
    from: "if (look.status === 'held') return;",
    to: 'if (look.status !== undefined) return;',
    tests: property,
  },
  {
    name: 'claim-from-memory',
    file: `${source}tools/held/read-held-skill.ts`,
    from: 'loaded.place === undefined ? undefined : await contents.get(loaded.revision)',
    to: 'await contents.get(loaded.revision)',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'gone-from-memory',
    file: `${source}tools/held/read-held-skill.ts`,
    from: "  if (listed === undefined && environment.present.isComplete) return { changed: 'gone' };\n",
    to: '',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'text-of-anybody-stands',
    file: `${source}state/state-in-context.ts`,
    from: 'owners.get(hashText(output)) : undefined;',
    to: '(owners.get(hashText(output)) ?? [...owners.values()][0]) : undefined;',
    tests: core('state/skill-state.test.ts'),
  },
  {
    name: 'listing-older-than-the-load',
    file: `${source}skillset/session-skills.ts`,
    from: 'readAt = Number.NEGATIVE_INFINITY;',
    to: 'void readAt;',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'renew-without-end',
    file: `${source}tools/activation/renew-skills.ts`,
    from: ' || (loaded.renewals ?? 0) >= maxRenewals',
    to: '',
    tests: core('tools/held/renewed-skills.test.ts'),
  },
  {
    name: 'renew-without-trust',
    file: `${source}tools/activation/renew-skills.ts`,
    from: 'loaded === undefined || loaded.untrusted === true ||',
    to: 'loaded === undefined ||',
    tests: core('tools/held/renewed-skills.test.ts'),
    equivalent: 'the skill of now must be trusted as well, and another trust is no other content',
  },
  {
    name: 'store-of-contents-believed',
    file: `${source}tools/held/remembered-contents.ts`,
    from: 'if (revisionOf(skill, skill.content ?? null) !== revision)',
    to: 'if (revisionOf(skill, skill.content ?? null) === undefined)',
    tests: core('tools/held/held-skills.test.ts'),
  },
  {
    name: 'fold-quadratic',
    file: `${source}state/transcript.ts`,
    from: 'if (event !== null) fold.add(event);',
    to: 'if (event !== null) new SkillStateFold(fold.add(event).state);',
    tests: core('state/held-state.test.ts'),
  },
  {
    name: 'seal-opened-by-the-first-secret',
    file: `${source}state/skill-state-seal.ts`,
    from: 'for (const key of keys) if',
    to: 'for (const key of keys.slice(0, 1)) if',
    tests: core('state/held-state.test.ts'),
  },
];
