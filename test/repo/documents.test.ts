import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillErrorCodes } from '../../packages/skills-core/src/errors/skill-error.ts';
import { repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

describe('documents', () => {
  it('AGENTS.md is short enough to be read whole', () => {
    expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('docs/reference/errors.md explains every error code, and no other', () => {
    const documented = [...read('docs/reference/errors.md').matchAll(/^(?:#+\s+|\|\s*)`(?<code>[a-z-]+)`/gm)].map(
      (match) => match.groups?.['code'],
    );
    expect([...new Set(documented)].toSorted()).toEqual(Object.keys(skillErrorCodes).toSorted());
  });

  it('every link to a file of the repository leads somewhere', () => {
    const dead = trackedFiles()
      .filter(
        (path) => path.endsWith('.md') && !path.includes('/skills/') && !path.includes('/fixtures/') && !path.startsWith('.changeset/'),
      )
      .flatMap((path) => {
        const prose = read(path).replaceAll(/^```[\s\S]*?^```/gm, '');
        return [...prose.matchAll(/\]\((?!\w+:|#)(?<target>[^)\s#]+)/g)]
          .map((match) => match.groups?.['target'] ?? '')
          .filter((target) => !existsSync(join(repositoryRoot, path, '..', decodeURI(target))))
          .map((target) => `${path}: ${target}`);
      });
    expect(dead).toEqual([]);
  });
});

describe('what is promised about attacks', () => {
  const pages = ['SECURITY.md', ...trackedFiles().filter((path) => /^docs\/(?:guide|adapters|sources)\/.*\.md$/.test(path))];

  it('names only files that there are', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`(?<path>(?:packages|e2e|tools|test|examples)\/[\w./-]+)`/g)].map((match) => ({
        page,
        path: match.groups?.['path'] ?? '',
      })),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ path }) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
  });

  it('has a test in each row of a table of tests', () => {
    const rows = pages.flatMap((page) =>
      [...read(page).matchAll(/^\|[^\n]*\| test \|\n\|[-|]+\|\n(?<rows>(?:\|[^\n]*\n)+)/gm)].flatMap((table) =>
        (table.groups?.['rows'] ?? '')
          .trim()
          .split('\n')
          .map((row) => ({ page, row, tests: row.split(' | ').at(-1) ?? '' })),
      ),
    );
    expect([...new Set(rows.map(({ page }) => page))]).toEqual([
      'SECURITY.md',
      ...['gating', 'lock', 'tenants', 'trust', 'what-a-client-can-forge'].map((name) => `docs/guide/${name}.md`),
    ]);
    expect(rows.filter(({ tests }) => !/`[\w./-]+\.test\.ts`|`tools\/check-\w+\.ts`/.test(tests))).toEqual([]);
    // `gates-properties.test.ts` of each adapter.
    const adapters = trackedFiles().filter((path) => /^packages\/adapter-[\w-]+\/package\.json$/.test(path));
    expect(adapters.filter((path) => !existsSync(join(repositoryRoot, path, '../test/gates-properties.test.ts')))).toEqual([]);
  });
});

describe('features', () => {
  const list = 'docs/features.md';
  const id = /\b(?:CON|FMT|DIS|GOV|SRC|ADP|FLW|DEC|AUT)-\d+\b/g;

  it('every id that a test cites is promised', (context) => {
    if (!existsSync(join(repositoryRoot, list))) context.skip(`${list} is not written yet`);
    const promised = new Set(read(list).match(id));
    const cited = trackedFiles()
      .filter((path) => /\.test(?:-d)?\.ts$/.test(path) && !path.startsWith('test/repo/'))
      .flatMap((path) => [...new Set(read(path).match(id))].map((found) => ({ path, found })));
    expect(cited.filter(({ found }) => !promised.has(found))).toEqual([]);
    expect(cited).not.toEqual([]);
  });
});

describe('what is committed', () => {
  it('names no folder of anyone’s machine', () => {
    // Put together from parts, so that this file does not name them either.
    const folders = new RegExp(`(?<![\\w.~}-])/(?:${['work', 'home', 'Users'].join('|')})/`);
    const naming = trackedFiles()
      .filter((path) => !/\.(?:png|jpg|ico|woff2|zip|tgz)$/.test(path))
      .flatMap((path) => {
        const line = read(path)
          .split('\n')
          .findIndex((text) => folders.test(text));
        return line === -1 ? [] : [`${path}:${line + 1}`];
      });
    expect(naming).toEqual([]);
  });

  it('names one version of pnpm, the one that is pinned', () => {
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    const others = trackedFiles()
      .filter((path) => !path.endsWith('.yaml') && !path.includes('CHANGELOG'))
      .flatMap((path) => [...new Set(read(path).match(/\bpnpm@\d+\.\d+\.\d+\b/g))].map((version) => ({ path, version })))
      .filter(({ version }) => version !== packageManager);
    expect(others).toEqual([]);
    expect(read('pnpm-workspace.yaml')).toContain(`  pnpm: ${packageManager.replace('pnpm@', '')}\n`);
  });

  it('keeps nothing from being tested: no `.only` is left behind', () => {
    const only = new RegExp(['(?:it|test|describe)', 'only\\b'].join('\\.'));
    expect(trackedFiles().filter((path) => path.endsWith('.ts') && only.test(read(path)))).toEqual([]);
  });
});
