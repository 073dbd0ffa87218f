import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillErrorCodes } from '../../packages/skills-core/src/errors/skill-error.ts';
import { attackPages, attackTests, withTestFiles } from '../../tools/attack-tables.ts';
import { publishedPackages, repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

describe('documents', () => {
  it('AGENTS.md is short enough to be read whole', () => {
    expect(read('AGENTS.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('README.md shows how to run the demo and the tests, and what is tested on a fresh machine is the same command', () => {
    const readme = read('README.md');
    for (const command of ['demo', 'test']) {
      expect(readme).toMatch(new RegExp(`^npx -y pnpm@12\\.21\\.0 ${command}$`, 'm'));
      expect(readme).toMatch(new RegExp(`\`${command}\` (?:builds|runs) [^.]*, in [^.]*minute`));
    }
    expect(read('.ci/run')).toContain('npx -y pnpm@12.21.0 test');
  });

  it('docs/reference/errors.md explains every error code, and no other', () => {
    const documented = [...read('docs/reference/errors.md').matchAll(/^(?:#+\s+|\|\s*)`(?<code>[a-z-]+)`/gm)].map(
      (match) => match.groups?.['code'],
    );
    expect([...new Set(documented)].toSorted()).toEqual(Object.keys(skillErrorCodes).toSorted());
  });

  it('docs/reference/framework-versions.md names the peers of the adapters as their manifests do', () => {
    const page = read('docs/reference/framework-versions.md');
    const adapters = publishedPackages().filter(({ path }) => path.startsWith('packages/adapter-'));
    expect(adapters).toHaveLength(3);
    for (const { directory, manifest } of adapters) {
      const { peerDependencies } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
        readonly peerDependencies: Readonly<Record<string, string>>;
      };
      const row = page.split('\n').find((line) => line.startsWith(`| \`${manifest.name}\``)) ?? '';
      const named = [...row.matchAll(/`([^`]+)` `([^`]+)`/g)].map(([, name = '', range = '']) => [name, range.replaceAll('\\|', '|')]);
      expect(Object.fromEntries(named)).toEqual(peerDependencies);
    }
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
  const pages = attackPages();

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
      'docs/guide/what-a-client-can-forge.md',
      'docs/reference/attacks.md',
    ]);
    // Each file of a row is followed by the ids of those of its tests that run the attack; an id
    // stands in the title of one test.
    const cited = rows.flatMap(({ page, row, tests }) => {
      const files = [...tests.matchAll(/`(?<file>[\w./-]+\.ts)`(?<ids>(?: ATK-\d+)+)/g)];
      return files.length === 0
        ? [{ page, row, file: '', id: '' }]
        : files.flatMap(({ groups }) => idsOf(groups?.['ids'] ?? '').map((id) => ({ page, row, file: groups?.['file'] ?? '', id })));
    });
    const titled = attackTests();
    // `node tools/attack-tables.ts --update` writes where the tests are.
    expect(pages.filter((page) => withTestFiles(read(page), titled) !== read(page))).toEqual([]);
    const wrong = cited.filter(({ file, id }) => !titled.some((test) => test.file === file && test.id === id));
    expect(wrong).toEqual([]);
    // No test has the id of another, and none says that it runs an attack that no row names.
    expect(titled.map(({ id }) => id).filter((id, index, ids) => ids.indexOf(id) !== index)).toEqual([]);
    expect(titled.filter(({ id }) => !cited.some((row) => row.id === id))).toEqual([]);
    // What is skipped runs nothing.
    expect(titled.filter(({ call }) => !/^(?:it|test)(?:\.(?:each|for))?$/.test(call))).toEqual([]);
    // The suite of adapters: its cases have ids, and every adapter runs it.
    const adapters = trackedFiles().filter((path) => /^packages\/adapter-[\w-]+\/package\.json$/.test(path));
    const runsThem = (path: string): boolean => /^testSkillAdapter\(/m.test(read(join(path, '../test/conformance.test.ts')));
    expect(adapters.filter((path) => !runsThem(path))).toEqual([]);
  });
});

/** The ids in a text. */
function idsOf(text: string): string[] {
  return text.match(/\bATK-\d+\b/g) ?? [];
}

describe('features', () => {
  const list = 'docs/features.md';
  const id = /\b(?:CON|FMT|DIS|GOV|PIN|APR|SRC|ADP|FLW|DEC|AUT)-\d+\b/g;

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
