import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
/** Random programs of loads, edits, outages and restarts. */
const property = ['packages/skill-runner/test/pinned-properties.test.ts'];
const core = (...files: readonly string[]) => files.map((file) => `packages/skills-core/test/${file}`);

/** Mutants of what binds a conversation to what it loaded. */
export const mutants: readonly Mutant[] = [
  {
    name: 'pinned-file-not-compared',
    file: `${source}tools/pinned/skill-doors.ts`,
    from: 'if (file === null || (await sha256Hex(file.bytes)) !== digest) throw',
    to: 'if (file === null) throw',
    tests: property,
  },
  {
    name: 'pinned-skill-of-any-revision',
    file: `${source}tools/pinned/skill-doors.ts`,
    from: 'if (revisionOf(asked, now) !== entry.revision)',
    to: 'if (now === undefined)',
    tests: property,
  },
  {
    name: 'look-ignores-content',
    file: `${source}policy/in-force.ts`,
    from: 'const content = await present.contentOf(skill, loaded, options);',
    to: 'const content = loaded.content;',
    tests: property,
  },
  {
    name: 'look-ignores-level-one',
    file: `${source}policy/in-force.ts`,
    from: 'if (revisionOf(skill, content) !== loaded.revision) return',
    to: 'if (content !== loaded.content) return',
    tests: core('tools/pinned/pinned-skills.test.ts'),
  },
  {
    name: 'look-ignores-trust',
    file: `${source}policy/in-force.ts`,
    from: "  if (isTrusted(skill) === (loaded.untrusted === true)) return not('trust', skill);\n",
    to: '',
    tests: core('tools/pinned/pinned-skills.test.ts'),
    equivalent: 'the revision has trust in it, so it differs as well',
  },
  {
    name: 'look-forgets-a-change',
    file: `${source}policy/in-force.ts`,
    from: "  if (loaded.changed === true) return not('content');\n",
    to: '',
    tests: core('tools/pinned/pinned-skills.test.ts'),
  },
  ...doors(),
  {
    name: 'gate-without-look',
    file: `${source}policy/gates.ts`,
    from: 'const look = await inForce(present, state, name).catch((error: unknown) => ({ error }));',
    to: 'void inForce;\n    if (opener === undefined) continue;\n    const look = { inForce: true, name, skill: opener, grants: await present.grantsOf(opener, opener.content) } as Awaited<ReturnType<typeof inForce>> | { error: unknown };',
    tests: property,
  },
  {
    name: 'gate-of-another-skill-of-the-name',
    file: `${source}policy/gates.ts`,
    from: 'else if (look.skill === opener && look.grants.has(grantToOpen(opener, tool)))',
    to: "else if (look.grants.has('tools') && grantToOpen(look.skill, tool) !== undefined)",
    tests: core('tools/pinned/pinned-skills.test.ts'),
    equivalent: 'the door gives the skill of the loaded identity under its own name, which is the opener',
  },
  {
    name: 'run-of-any-files',
    file: `${source}tools/pinned/run-pinned.ts`,
    from: 'if (whole === null || (isPinned && whole.digest !== content)) throw',
    to: 'if (whole === null) throw',
    tests: property,
  },
  {
    name: 'run-without-look',
    file: `${source}tools/pinned/run-pinned.ts`,
    from: 'if (look.inForce) return;',
    to: 'if (look.name !== undefined) return;',
    tests: property,
  },
  {
    name: 'claim-from-memory',
    file: `${source}tools/pinned/skill-doors.ts`,
    from: 'entry.place === undefined ? undefined : await contents.get(entry.revision)',
    to: 'await contents.get(entry.revision)',
    tests: core('tools/pinned/pinned-skills.test.ts'),
  },
  {
    name: 'gone-from-memory',
    file: `${source}tools/pinned/skill-doors.ts`,
    from: "look.reason === 'gone' && !present.isComplete",
    to: "look.reason === 'gone'",
    tests: core('tools/pinned/pinned-skills.test.ts'),
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
    file: `${source}tools/pinned/present-listing.ts`,
    from: 'readAt = Number.NEGATIVE_INFINITY;',
    to: 'void readAt;',
    tests: core('tools/pinned/pinned-skills.test.ts'),
  },
  {
    name: 'renew-without-end',
    file: `${source}skillset/renew-skills.ts`,
    from: ' || (loaded.renewals ?? 0) >= maxRenewals',
    to: '',
    tests: core('tools/pinned/renewed-skills.test.ts'),
  },
  {
    name: 'renew-without-trust',
    file: `${source}skillset/renew-skills.ts`,
    from: 'loaded === undefined || loaded.untrusted === true ||',
    to: 'loaded === undefined ||',
    tests: core('tools/pinned/renewed-skills.test.ts'),
    equivalent: 'the skill of now must be trusted as well, and another trust is no other content',
  },
  {
    name: 'store-of-contents-believed',
    file: `${source}tools/pinned/remembered-contents.ts`,
    from: 'if (revisionOf(skill, skill.content ?? null) !== revision)',
    to: 'if (revisionOf(skill, skill.content ?? null) === undefined)',
    tests: core('tools/pinned/pinned-skills.test.ts'),
  },
  {
    name: 'fold-quadratic',
    file: `${source}state/transcript.ts`,
    from: 'if (event !== null) fold.add(event);',
    to: 'if (event !== null) new SkillStateFold(fold.add(event).state);',
    tests: core('state/pinned-state.test.ts'),
  },
  {
    name: 'seal-opened-by-the-first-secret',
    file: `${source}state/skill-state-seal.ts`,
    from: 'for (const key of keys) if',
    to: 'for (const key of keys.slice(0, 1)) if',
    tests: core('state/pinned-state.test.ts'),
  },
];

/** What each step of the door keeps out. */
function doors(): readonly Mutant[] {
  const tests = core('policy/in-force.test.ts');
  return [
    {
      name: 'door-by-any-name',
      file: `${source}policy/in-force.ts`,
      from: "  if (skill.name !== name) return not('other-name');\n",
      to: '',
      tests,
    },
    {
      name: 'door-without-permission',
      file: `${source}policy/in-force.ts`,
      from: "  if (!(await present.mayLoad(skill))) return { ...not('not-permitted'), refused: skill };\n",
      to: '  await present.mayLoad(skill);\n',
      tests,
    },
    {
      name: 'door-of-an-old-listing',
      file: `${source}policy/in-force.ts`,
      from: "  if (present.isExpired(skill)) return not('expired');\n",
      to: '',
      tests,
    },
    {
      name: 'files-listed-unasked',
      file: `${source}tools/pinned/skill-doors.ts`,
      from: '(await approvals?.read(skill, call)) ?? ',
      to: '(call === undefined ? undefined : await approvals?.read(skill, call)) ?? ',
      tests,
    },
    {
      name: 'search-tells-bodies',
      file: `${source}tools/search/search-skills.ts`,
      from: "if (isApproved && (await audience.mayDo('load', skill))) {",
      to: "if (isApproved || (await audience.mayDo('load', skill))) {",
      tests,
    },
    {
      name: 'memory-of-another-view',
      file: `${source}tools/pinned/skill-doors.ts`,
      from: 'skill.name !== name || !isOurs ||',
      to: 'skill.name !== name || isOurs === undefined ||',
      tests,
    },
    {
      name: 'restriction-ends-with-permission',
      file: `${source}policy/allowed-tools/skill-allowed-tools.ts`,
      from: 'return !inForce && state',
      to: "return !inForce && name === '' && state",
      tests,
    },
  ];
}
