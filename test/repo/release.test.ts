import { describe, expect, it } from 'vitest';
import type { ReleasePlan } from '../../tools/release/release-plan.ts';
import { releaseObstacles } from '../../tools/release/release-obstacles.ts';
import { renderRelease } from '../../tools/release/render-release.ts';
import { runCommand } from '../../tools/run-command.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { publishedPackages, repositoryRoot } from '../../tools/workspace.ts';

const plan: ReleasePlan = {
  packages: [
    { name: '@repertoire/a', version: '1.2.0', archive: '/a.tgz', bytes: 2_048, files: ['LICENSE', 'dist/index.js'], sbom: '/a.cdx.json' },
    { name: '@repertoire/b', version: '1.2.0', archive: '/b.tgz', bytes: 512, files: ['LICENSE'], sbom: '/b.cdx.json' },
  ],
  failedChecks: [],
  pendingChangesets: [],
};
/** What GitHub gives to a job with `id-token: write`. */
const identity = { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://actions.example/token' };

describe('pnpm release', () => {
  it('publishes where nothing speaks against it', () => {
    expect(releaseObstacles(plan, identity)).toEqual([]);
    expect(releaseObstacles(plan, { ...identity, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.2.0' })).toEqual([]);
  });

  it.each<[string, ReleasePlan, NodeJS.ProcessEnv, RegExp]>([
    ['without an identity', plan, { NODE_AUTH_TOKEN: 'secret' }, /no identity for provenance/],
    ['with changesets that no version holds', { ...plan, pendingChangesets: ['new.md'] }, identity, /1 changesets are pending/],
    ['after a check that failed', { ...plan, failedChecks: ['shape'] }, identity, /checks failed: shape/],
    [
      'of the version that stands for none',
      { ...plan, packages: plan.packages.map((each) => ({ ...each, version: '0.0.0' })) },
      identity,
      /0\.0\.0/,
    ],
    [
      'of packages whose versions differ',
      { ...plan, packages: plan.packages.map((each, index) => ({ ...each, version: `1.${index}.0` })) },
      identity,
      /2 versions/,
    ],
    ['of nothing', { ...plan, packages: [] }, identity, /no package/],
    [
      'under the tag of another version',
      plan,
      { ...identity, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.3.0' },
      /tag is v1\.3\.0, and the packages have version 1\.2\.0/,
    ],
  ])('publishes nothing %s', (_what, which, environment, reason) => {
    expect(releaseObstacles(which, environment)).toEqual([expect.stringMatching(reason)]);
  });

  it('refuses at once outside of the workflow', async () => {
    const { ok, output } = await runCommand(['node', 'tools/release.ts'], { environment: { ACTIONS_ID_TOKEN_REQUEST_URL: '' } });
    expect(ok).toBe(false);
    expect(output).toMatch(/^Nothing is published\.\nThere is no identity/);
  });

  it('says what would be published', () => {
    expect(renderRelease({ ...plan, pendingChangesets: ['new.md'] })).toBe(
      [
        'Packages:',
        '  @repertoire/a  1.2.0  2.0 KiB  2 files',
        '    LICENSE',
        '    dist/ (1)',
        '  @repertoire/b  1.2.0  0.5 KiB  1 files',
        '    LICENSE',
        '    dist/ (0)',
        'Pending changesets: new.md',
      ].join('\n'),
    );
  });

  it('can read every changeset', () => {
    const names = new Set(publishedPackages().map(({ manifest }) => manifest.name));
    const folder = join(repositoryRoot, '.changeset');
    const notes = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(notes).not.toEqual([]);
    for (const file of notes) {
      const frontmatter = /^---\n(.*?)\n---\n/s.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
      const bumps = Object.entries((frontmatter === undefined ? {} : parse(frontmatter)) as Record<string, unknown>);
      expect(bumps.length, file).toBeGreaterThan(0);
      for (const [name, bump] of bumps) {
        expect(names, file).toContain(name);
        expect(['major', 'minor', 'patch'], file).toContain(bump);
      }
    }
  });

  it('gives all packages one version', () => {
    const { fixed } = JSON.parse(readFileSync(join(repositoryRoot, '.changeset/config.json'), 'utf8')) as { readonly fixed: unknown };
    expect(fixed).toEqual([['@repertoire/*']]);
    expect(new Set(publishedPackages().map(({ manifest }) => manifest['version'])).size).toBe(1);
  });
});
