import type { Mutant } from './mutant.ts';
const source = 'packages/skills-core/src/';
const tests = (...folders: readonly string[]) => folders.map((folder) => `packages/skills-core/test/${folder}`);

/** Mutants of the core: the catalog, the format, `allowed-tools`. */
export const mutants: readonly Mutant[] = [
  // The catalog and its budget.
  {
    name: 'budget-width-floor',
    file: `${source}catalog/budget-catalog.ts`,
    from: 'let [low, high] = [0, Math.ceil((maxWidth - narrow.width) / widthStep)];',
    to: 'let [low, high] = [0, Math.floor((maxWidth - narrow.width) / widthStep)];',
    tests: tests('catalog/budget-catalog.test.ts'),
  },
  {
    name: 'budget-zero-limit',
    file: `${source}catalog/budget-catalog.ts`,
    from: 'limit === undefined || limit > 0',
    to: 'limit === undefined || limit >= 0',
    tests: tests('catalog/budget-catalog.test.ts'),
  },
  {
    name: 'budget-usage-not-a-number',
    file: `${source}catalog/budget-catalog.ts`,
    from: "typeof count === 'number' && Number.isFinite(count) ? count : 0",
    to: 'count as number',
    tests: tests('catalog/budget-catalog.test.ts'),
  },
  {
    name: 'budget-described-off-by-one',
    file: `${source}catalog/budget-catalog.ts`,
    from: 'let [low, high] = [0, this.#rows.length - 1];',
    to: 'let [low, high] = [0, this.#rows.length - 2];',
    tests: tests('catalog/budget-catalog.test.ts'),
  },
  {
    name: 'budget-untrusted-first',
    file: `${source}catalog/budget-catalog.ts`,
    from: 'fit(untrusted, first.listed, true)',
    to: 'fit(untrusted, [], true)',
    tests: tests('policy/gates-properties.test.ts'),
  },
  {
    name: 'budget-no-room-for-the-unlisted',
    file: `${source}catalog/budget-catalog.ts`,
    from: 'const reservedUnlisted = 100_000;',
    to: 'const reservedUnlisted = 0;',
    tests: tests('catalog/budget-catalog.test.ts'),
  },
  {
    name: 'budget-shorten-sentence',
    file: `${source}catalog/budget-shorten.ts`,
    from: 'const sentencePart = 0.8',
    to: 'const sentencePart = 0.6',
    tests: tests('catalog/budget-shorten.test.ts'),
  },
  {
    name: 'catalog-rebuilt',
    file: `${source}skillset/catalog-memo.ts`,
    from: 'if (known !== undefined) return known.catalog;',
    to: '',
    tests: tests('skillset/session.test.ts'),
  },
  {
    name: 'kept-anything',
    file: `${source}skillset/kept-catalog.ts`,
    from: ' && /^[0-9a-f]{32}$/.test(kept.catalog)',
    to: '',
    tests: tests('skillset/session.test.ts'),
  },
  {
    name: 'pin-moves-on',
    file: `${source}skillset/open-session.ts`,
    from: 'tokens: pinned.tokens }, digest: kept.catalog };',
    to: 'tokens: pinned.tokens }, digest };',
    tests: tests('skillset/session.test.ts'),
  },
  {
    name: 'invisible-selectors',
    file: `${source}prompt/escape.ts`,
    from: '(?![\\u200C\\u200D]|(?<=\\p{Emoji})[\\uFE0E\\uFE0F])\\p{Default_Ignorable_Code_Point}',
    to: '[\\u200B\\u{E0000}-\\u{E007F}]',
    tests: tests('policy/selection.test.ts', 'catalog/render-catalog.test.ts', 'tools/load-skill.test.ts'),
  },
  {
    name: 'closing-broken-up',
    file: `${source}prompt/escape.ts`,
    from: "[...name].join('\\\\p{Default_Ignorable_Code_Point}*')",
    to: 'name',
    tests: tests('policy/selection.test.ts', 'catalog/render-catalog.test.ts', 'tools/load-skill.test.ts'),
  },

  // The format.
  {
    name: 'repair-conflict-told-often',
    file: `${source}format/repair-frontmatter.ts`,
    from: "if (!inConflict) issues.push({ code: 'merge-conflict'",
    to: "issues.push({ code: 'merge-conflict'",
    tests: tests('format/edge-cases-yaml.test.ts'),
  },
  {
    name: 'repair-single-quotes',
    file: `${source}format/repair-frontmatter.ts`,
    from: '.replaceAll("\'\'", "\'")',
    to: '',
    tests: tests('format/edge-cases-yaml.test.ts'),
  },
  {
    name: 'repair-comment-lines-kept',
    file: `${source}format/repair-frontmatter.ts`,
    from: "index === 0 || !line.startsWith('#')",
    to: 'true',
    tests: tests('format/edge-cases-yaml.test.ts'),
  },
  {
    name: 'yaml-alias-growth',
    file: `${source}format/parse-yaml.ts`,
    from: 'const maxGrowth = 10;',
    to: 'const maxGrowth = 100;',
    tests: tests('format/edge-cases-yaml.test.ts'),
  },
  {
    name: 'yaml-open-cycle',
    file: `${source}format/parse-yaml.ts`,
    from: ' || context.open.has(target)',
    to: '',
    tests: tests('format/edge-cases-yaml.test.ts'),
  },
  {
    name: 'write-control-characters-bare',
    file: `${source}format/write-yaml.ts`,
    from: 'if (/[\\u0000-\\u0009\\u000B-\\u001F]/.test(text) || text',
    to: 'if (text',
    tests: tests('format/serialize-skill-md.test.ts'),
  },

  // What `allowed-tools` means.
  {
    name: 'allowed-dollar-quote',
    file: `${source}policy/allowed-tools/match-command.ts`,
    from: '\\$(?![([{\'"])',
    to: '\\$(?![([{])',
    tests: tests('policy/allowed-tools'),
  },
  {
    name: 'allowed-double-slash-path',
    file: `${source}policy/allowed-tools/match-path.ts`,
    from: " ||\n    path.startsWith('//')",
    to: '',
    tests: tests('policy/allowed-tools'),
  },
  {
    name: 'allowed-trust-unknown',
    file: `${source}policy/allowed-tools/allowed-tools-decision.ts`,
    from: 'skill.origin?.trusted !== true',
    to: 'skill.origin?.trusted === false',
    tests: tests('policy/allowed-tools'),
  },
  {
    name: 'allowed-domain-any-scheme',
    file: `${source}policy/allowed-tools/matches-allowed-tool.ts`,
    from: '/^https?:$/.test(protocol) && ',
    to: '',
    tests: tests('policy/allowed-tools'),
  },
  {
    name: 'allowed-two-subjects',
    file: `${source}policy/allowed-tools/matches-allowed-tool.ts`,
    from: ' || found.length > 1',
    to: '',
    tests: tests('policy/allowed-tools'),
  },
];
