import type { Mutant } from './mutant.ts';

const source = 'packages/skills-core/src/';
const tests = (...folders: readonly string[]) => folders.map((folder) => `packages/skills-core/test/${folder}`);

/** Mutants of the core: what it decides, what it shows, what it keeps. */
export const mutants: readonly Mutant[] = [
  // What a conversation has loaded.
  { name: 'fold-same-load-ignores-place', file: `${source}state/skill-state.ts`, from: ' &&\n    a.at === b.at\n', to: '\n', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-same-load-ignores-revision', file: `${source}state/skill-state.ts`, from: '    a.revision === b.revision &&\n', to: '', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-sequence-counts-itself', file: `${source}state/skill-state.ts`, from: 'other !== name && skill.sequence === last', to: 'skill.sequence === last', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-order-by-rank-only', file: `${source}state/skill-state.ts`, from: 'a.sequence - b.sequence || (nameA < nameB ? -1 : 1)', to: 'a.sequence - b.sequence', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-single-keeps-others', file: `${source}state/skill-state.ts`, from: "...(activation === 'cumulative' && state.loaded)", to: '...(activation && state.loaded)', tests: tests('state/activation.test.ts') },
  { name: 'fold-other-text-stands', file: `${source}state/state-in-context.ts`, from: 'return found.fingerprint === entry.fingerprint ||', to: 'return found.name === undefined ||', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-place-of-gone-skill-moves', file: `${source}state/state-in-context.ts`, from: '    if (!stands(entry, found)) return [];\n    const { cut', to: '    if (found === undefined) return [];\n    const { cut', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-cut-of-another-revision-stands', file: `${source}state/state-in-context.ts`, from: 'found.cut === true && found.revision === entry.revision', to: 'found.cut === true', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-withdrawn-text-loads', file: `${source}state/transcript.ts`, from: " || attributes['withdrawn'] !== undefined", to: '', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-blank-arguments-kept', file: `${source}state/transcript.ts`, from: " && value.trim() !== ''", to: '', tests: tests('state/skill-state.test.ts') },
  { name: 'fold-trust-forgotten', file: `${source}state/transcript.ts`, from: "attributes['trust'] === 'untrusted'", to: "attributes['trust'] === 'no'", tests: tests('policy/judge-call.test.ts') },
  { name: 'revision-without-source', file: `${source}state/revision.ts`, from: '[origin?.label, name, version,', to: '[name, version,', tests: tests('policy/gates.test.ts') },
  { name: 'revision-of-name-and-version-only', file: `${source}state/revision.ts`, from: 'version, description, tools, allowedTools, autoActivate, model, context, fields?.', to: 'version, fields?.', tests: tests('policy/gates.test.ts') },

  // Gates and permissions.
  { name: 'gate-untrusted-opens', file: `${source}policy/gates.ts`, from: 'input.selected.filter((skill) => isTrusted(skill) && (', to: 'input.selected.filter((skill) => (', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-opened-by-unselected', file: `${source}policy/gates.ts`, from: 'input.selected.filter((skill) => isTrusted(skill)', to: 'input.listed.filter((skill) => isTrusted(skill)', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-file-opens-always', file: `${source}policy/gates.ts`, from: "=== 'always' && (isHostCode(skill) || !isDeclared(tool))", to: "=== 'always'", tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-host-tools-of-listing-only', file: `${source}policy/gates.ts`, from: 'new Set([...input.hostTools, ', to: 'new Set([', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-by-name-only', file: `${source}policy/gates.ts`, from: 'return loaded?.version === skill.version && loaded.revision === revisionOf(skill);', to: 'return loaded !== undefined;', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-version-ignored', file: `${source}policy/gates.ts`, from: 'return loaded?.version === skill.version && loaded.revision === revisionOf(skill);', to: 'return loaded?.revision === revisionOf(skill);', tests: tests('policy/gates.test.ts', 'policy/judge-call.test.ts', 'state'), equivalent: 'the version is part of level 1, so the revision differs with it' },
  { name: 'gate-names-skills-of-people', file: `${source}policy/gates.ts`, from: 'openers(tool).filter(isModelInvocable).map', to: 'openers(tool).map', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-named-by-untrusted', file: `${source}policy/gates.ts`, from: 'new Set(input.listed.filter(isTrusted).flatMap', to: 'new Set(input.listed.flatMap', tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'gate-code-of-untrusted-closes', file: `${source}policy/gates.ts`, from: "return isTrusted(skill) && skill.origin?.kind === 'code';", to: "return skill.origin?.kind === 'code';", tests: tests('policy/gates.test.ts', 'policy/policy.test.ts') },
  { name: 'judge-skill-tools-lockable', file: `${source}policy/judge-call.ts`, from: "  if (isSkillTool(names, call.tool)) return { decision: 'allowed', because: 'It is one of the skill tools.' };\n", to: '', tests: tests('policy/policy.test.ts', 'skillset/surface-and-budget.test.ts') },
  { name: 'judge-permissions-not-asked', file: `${source}policy/judge-call.ts`, from: 'for (const skill of skills) if (await mayLoad(skill)) return true;\n  return false;', to: 'void mayLoad;\n  return skills.length > 0;', tests: tests('policy/gates.test.ts') },
  { name: 'judge-vanished-restriction', file: `${source}policy/judge-call.ts`, from: 'if (vanished.length > 0)', to: 'if (vanished.length > 9)', tests: tests('policy/judge-call.test.ts', 'policy/gates.test.ts') },
  { name: 'judge-untrusted-restriction-vanishes-loudly', file: `${source}policy/judge-call.ts`, from: "policy === 'restrict' ? missing.filter((name) => state.loaded[name]?.untrusted !== true) : []", to: "policy === 'restrict' ? missing : []", tests: tests('policy/judge-call.test.ts', 'policy/gates.test.ts') },
  { name: 'offline-restrict-open', file: `${source}policy/judge-call.ts`, from: "(policy !== 'restrict' || loaded.length === 0)", to: "(policy !== 'restrict' || loaded.length >= 0)", tests: tests('policy/judge-call.test.ts', 'policy/gates.test.ts') },
  { name: 'offline-declared-open', file: `${source}skillset/create-skillset.ts`, from: "const isGated = isDeclared || (provider", to: "const isGated = (isDeclared && gatedTools === 'named') || (provider", tests: tests('policy/judge-call.test.ts', 'policy/gates.test.ts') },
  { name: 'listing-version-of-claim', file: `${source}policy/find-skill-in-use.ts`, from: 'return catalog.listed.find((skill) => skill.name === found.name && skill.version === version) ?? found;', to: 'return { ...found, version: version ?? found.version };', tests: tests('policy/gates.test.ts') },
  { name: 'select-promise-counts', file: `${source}providers/select-skills.ts`, from: "typeof answer === 'object' && answer !== null && 'then' in answer", to: 'false', tests: tests('policy/gates.test.ts') },
  { name: 'options-not-checked', file: `${source}skillset/create-skillset.ts`, from: "  assertKnownOptions('createSkillset', options, knownOptions);\n", to: '', tests: tests('skillset/session.test.ts') },

  // Giving instructions and files.
  { name: 'activate-skips-reselect', file: `${source}tools/activation/activate-skill.ts`, from: 'if (skill !== null && !environment.isSelected(skill)) skill = null;', to: '', tests: tests('tools/load-skill.test.ts') },
  { name: 'activate-permission-of-catalog-entry', file: `${source}tools/activation/activate-skill.ts`, from: "assertAllowed('load', skill)", to: "assertAllowed('load', request.skill)", tests: tests('policy/policy.test.ts') },
  { name: 'files-skip-reselect', file: `${source}tools/find-resource.ts`, from: 'if (skill === null || !isSelected(skill))', to: 'if (skill === null || isSelected === undefined)', tests: tests('policy/gates.test.ts') },
  { name: 'files-told-to-all', file: `${source}tools/find-resource.ts`, from: "const mayList = await environment.mayDo('load', skill);", to: 'const mayList = true;', tests: tests('policy/gates.test.ts') },
  { name: 'reattach-delisted', file: `${source}tools/activation/read-loaded-skill.ts`, from: '  if (!environment.catalog.listed.some((skill) => skill.name === name && skill.version === version)) return null;\n', to: '', tests: tests('tools/activation/reattach-skills.test.ts') },
  { name: 'reattach-ignores-room', file: `${source}tools/activation/reattach-skills.ts`, from: 'Math.min(room, perSkill)', to: 'perSkill', tests: tests('tools/activation/reattach-skills.test.ts') },
  { name: 'put-back-at-the-end', file: `${source}tools/activation/put-back-skills.ts`, from: 'const place = first === -1 ? turns.length : first;', to: 'const place = turns.length;', tests: tests('tools/activation/put-back-skills.test.ts') },
  { name: 'put-back-between-call-and-result', file: `${source}tools/activation/put-back-skills.ts`, from: " || next?.role === 'tool') continue;", to: ') continue;', tests: tests('tools/activation/put-back-skills.test.ts') },
  { name: 'put-back-asks-again', file: `${source}tools/activation/put-back-skills.ts`, from: 'if (skills.length === 0) break;', to: 'if (skills.length === 0) continue;', tests: tests('tools/activation/put-back-skills.test.ts') },
  { name: 'put-back-twice', file: `${source}tools/activation/put-back-skills.ts`, from: 'if (inserts.some(({ toolCallId }) => next?.callIds?.includes(toolCallId))) continue;', to: '', tests: tests('tools/activation/put-back-skills.test.ts') },

  // The catalog and its budget.
  { name: 'budget-width-floor', file: `${source}catalog/budget-catalog.ts`, from: 'let [low, high] = [0, Math.ceil((maxWidth - narrow.width) / widthStep)];', to: 'let [low, high] = [0, Math.floor((maxWidth - narrow.width) / widthStep)];', tests: tests('catalog/budget-catalog.test.ts') },
  { name: 'budget-zero-limit', file: `${source}catalog/budget-catalog.ts`, from: 'limit === undefined || limit > 0', to: 'limit === undefined || limit >= 0', tests: tests('catalog/budget-catalog.test.ts') },
  { name: 'budget-usage-not-a-number', file: `${source}catalog/budget-catalog.ts`, from: "typeof count === 'number' && Number.isFinite(count) ? count : 0", to: 'count as number', tests: tests('catalog/budget-catalog.test.ts') },
  { name: 'budget-described-off-by-one', file: `${source}catalog/budget-catalog.ts`, from: 'let [low, high] = [0, this.#rows.length - 1];', to: 'let [low, high] = [0, this.#rows.length - 2];', tests: tests('catalog/budget-catalog.test.ts') },
  { name: 'budget-untrusted-first', file: `${source}catalog/budget-catalog.ts`, from: 'const second = fitTier(others, first.listed, true', to: 'const second = fitTier(others, [], true', tests: tests('policy/gates-properties.test.ts') },
  { name: 'budget-no-room-for-the-unlisted', file: `${source}catalog/budget-catalog.ts`, from: 'const reservedUnlisted = 100_000;', to: 'const reservedUnlisted = 0;', tests: tests('catalog/budget-catalog.test.ts') },
  { name: 'budget-shorten-sentence', file: `${source}catalog/budget-shorten.ts`, from: 'const sentencePart = 0.8', to: 'const sentencePart = 0.6', tests: tests('catalog/budget-shorten.test.ts') },
  { name: 'catalog-rebuilt', file: `${source}skillset/catalog-memo.ts`, from: 'if (known !== undefined) return known.catalog;', to: '', tests: tests('skillset/session.test.ts') },
  { name: 'kept-anything', file: `${source}skillset/kept-catalog.ts`, from: ' && /^[0-9a-f]{32}$/.test(kept.catalog)', to: '', tests: tests('skillset/session.test.ts') },
  { name: 'pin-moves-on', file: `${source}skillset/open-session.ts`, from: 'tokens: pinned.tokens }, digest: kept.catalog };', to: 'tokens: pinned.tokens }, digest };', tests: tests('skillset/session.test.ts') },
  { name: 'invisible-selectors', file: `${source}prompt/escape.ts`, from: '(?![\\u200C\\u200D]|(?<=\\p{Emoji})[\\uFE0E\\uFE0F])\\p{Default_Ignorable_Code_Point}', to: '[\\u200B\\u{E0000}-\\u{E007F}]', tests: tests('policy/gates.test.ts') },
  { name: 'closing-broken-up', file: `${source}prompt/escape.ts`, from: "[...name].join('\\\\p{Default_Ignorable_Code_Point}*')", to: 'name', tests: tests('policy/gates.test.ts') },

  // The format.
  { name: 'repair-conflict-told-often', file: `${source}format/repair-frontmatter.ts`, from: "if (!inConflict) issues.push({ code: 'merge-conflict'", to: "issues.push({ code: 'merge-conflict'", tests: tests('format/edge-cases-yaml.test.ts') },
  { name: 'repair-single-quotes', file: `${source}format/repair-frontmatter.ts`, from: '.replaceAll("\'\'", "\'")', to: '', tests: tests('format/edge-cases-yaml.test.ts') },
  { name: 'repair-comment-lines-kept', file: `${source}format/repair-frontmatter.ts`, from: "index === 0 || !line.startsWith('#')", to: 'true', tests: tests('format/edge-cases-yaml.test.ts') },
  { name: 'yaml-alias-growth', file: `${source}format/parse-yaml.ts`, from: 'const maxGrowth = 10;', to: 'const maxGrowth = 100;', tests: tests('format/edge-cases-yaml.test.ts') },
  { name: 'yaml-open-cycle', file: `${source}format/parse-yaml.ts`, from: ' || context.open.has(target)', to: '', tests: tests('format/edge-cases-yaml.test.ts') },
  { name: 'write-control-characters-bare', file: `${source}format/write-yaml.ts`, from: "if (/[\\u0000-\\u0009\\u000B-\\u001F]/.test(text) || text", to: 'if (text', tests: tests('format/serialize-skill-md.test.ts') },

  // What `allowed-tools` means.
  { name: 'allowed-dollar-quote', file: `${source}policy/allowed-tools/match-command.ts`, from: "\\$(?![([{'\"])", to: '\\$(?![([{])', tests: tests('policy/allowed-tools') },
  { name: 'allowed-double-slash-path', file: `${source}policy/allowed-tools/match-path.ts`, from: " ||\n    path.startsWith('//')", to: '', tests: tests('policy/allowed-tools') },
  { name: 'allowed-trust-unknown', file: `${source}policy/allowed-tools/allowed-tools-decision.ts`, from: 'skill.origin?.trusted !== true', to: 'skill.origin?.trusted === false', tests: tests('policy/allowed-tools') },
  { name: 'allowed-domain-any-scheme', file: `${source}policy/allowed-tools/matches-allowed-tool.ts`, from: '/^https?:$/.test(protocol) && ', to: '', tests: tests('policy/allowed-tools') },
  { name: 'allowed-two-subjects', file: `${source}policy/allowed-tools/matches-allowed-tool.ts`, from: ' || found.length > 1', to: '', tests: tests('policy/allowed-tools') },

  // Sources.
  { name: 'listing-not-sorted', file: `${source}providers/read-listing.ts`, from: '  if (isInOrder) return listing;\n', to: '  if (isInOrder || label !== undefined) return listing;\n', tests: tests('providers/read-listing.test.ts') },
  { name: 'registry-notify-without-change', file: `${source}skillset/skill-registry.ts`, from: 'if (found.length > 0) this.#changed();', to: 'this.#changed();', tests: tests('providers/registry/skill-registry.test.ts') },
  { name: 'registry-resources-not-frozen', file: `${source}skillset/skill-registry.ts`, from: 'resources: Object.freeze({ ...resources })', to: 'resources: { ...resources }', tests: tests('providers/registry/skill-registry.test.ts') },
  { name: 'notifier-late-listener', file: `${source}providers/support/change-notifier.ts`, from: 'if (this.#listeners.has(listener)) listener', to: 'listener', tests: tests('providers/registry/skill-registry.test.ts') },
  { name: 'compose-version-of-other', file: `${source}providers/compose/compose-providers.ts`, from: 'if (!decided && (await source.call(signal, (call) => source.provider.getSkill(name, call))) !== null) return null;', to: '', tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts') },
  { name: 'compose-doubtful-order', file: `${source}providers/compose/compose-providers.ts`, from: ': [...byPrecedence.filter((source) => !doubtful(source)), ...byPrecedence.filter(doubtful)];', to: ': byPrecedence;', tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts') },
  { name: 'compose-missed-names-free', file: `${source}providers/compose/merge-listings.ts`, from: 'for (const name of missed) if (!owners.has(name)) owners.set(name, label);', to: 'void missed;', tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts') },
  { name: 'compose-failing-sticky', file: `${source}providers/compose/composed-source.ts`, from: '      this.#failing = false;\n', to: '', tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts') },
  { name: 'compose-gates-forgotten', file: `${source}providers/compose/compose-providers.ts`, from: '    gatedTools: () => [...new Set(providers.flatMap((provider) => provider.gatedTools?.() ?? []))],\n', to: '', tests: tests('policy/gates.test.ts') },
  { name: 'compose-complete-while-failing', file: `${source}providers/compose/compose-providers.ts`, from: 'const complete = failures.length === 0 && ', to: 'const complete = ', tests: tests('providers/compose/failures.test.ts', 'providers/compose/collisions.test.ts', 'providers/compose/properties.test.ts'), equivalent: 'a source that failed has no listing, so not every listing is complete' },
  { name: 'compose-withholds-nothing', file: `${source}providers/compose/compose-providers.ts`, from: "if (untilHeard === 'withhold' && !source.heard) break;", to: '', tests: tests('policy/gates.test.ts') },

  // Locks and digests.
  { name: 'lock-duplicate-paths', file: `${source}providers/lock/locked-provider.ts`, from: '      paths.size === skill.resources.length + 1 &&\n', to: '', tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'lock-newest-of-lock', file: `${source}providers/lock/locked-provider.ts`, from: 'if (candidates.length < 2) return candidates[0];', to: 'if (candidates.length < 9) return candidates[0];', tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'lock-media-type-of-source', file: `${source}providers/lock/locked-provider.ts`, from: 'size: bytes.length, mediaType: mediaTypeOf(path), digest', to: 'size: bytes.length, mediaType: resource.mediaType, digest', tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'lock-create-other-version', file: `${source}providers/lock/create-skill-lock.ts`, from: 'skill === null || skill.version !== version', to: 'skill === null', tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'lock-incomplete-listing', file: `${source}providers/lock/create-skill-lock.ts`, from: 'if (!listing.complete)', to: 'if (listing.complete === undefined)', tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'lock-frozen-by-errors', file: `${source}providers/lock/locked-provider.ts`, from: "mode === 'frozen' && diagnostics.length + gone.length > 0", to: "mode === 'frozen' && diagnostics.some((diagnostic) => diagnostic.severity === 'error')", tests: tests('providers/lock/locked-provider.test.ts', 'providers/lock/skill-lock.test.ts') },
  { name: 'digest-of-canonical-text', file: `${source}providers/digest/read-skill-md.ts`, from: 'if (resource !== null) return', to: 'if (resource === undefined) return', tests: tests('providers/digest/read-skill-md.test.ts') },
];
