import type { ReleasePlan } from './release-plan.ts';

/** The version of a package that was never released. */
const unreleased = '0.0.0';

/** Why nothing can be published here. Empty where it can. */
export function releaseObstacles({ packages, failedChecks, pendingChangesets }: ReleasePlan, environment: NodeJS.ProcessEnv): string[] {
  const versions = new Set(packages.map(({ version }) => version));
  return [
    // npm makes a provenance statement from the identity that this gives, and takes it in place of a token where the package trusts the workflow.
    ...((environment['ACTIONS_ID_TOKEN_REQUEST_URL'] ?? '') === ''
      ? ['There is no identity for provenance. Only .github/workflows/release.yml publishes: its job has the permission `id-token: write`.']
      : []),
    ...(failedChecks.length > 0 ? [`These checks failed: ${failedChecks.join(', ')}.`] : []),
    ...(pendingChangesets.length > 0
      ? [
          `${pendingChangesets.length} changesets are pending. Run \`npx -y pnpm@12.21.0 exec changeset version\` and commit what it writes.`,
        ]
      : []),
    ...(versions.has(unreleased) ? [`The version is ${unreleased}, which stands for no release.`] : []),
    ...(versions.size > 1 ? [`The packages have ${versions.size} versions: ${[...versions].join(', ')}. All of them share one.`] : []),
    ...(packages.length === 0 ? ['There is no package.'] : []),
    ...wrongTag(versions, environment),
  ];
}

/** A tag that says another version than the packages have. Where a run was not started by a tag, there is none. */
function wrongTag(versions: ReadonlySet<string>, environment: NodeJS.ProcessEnv): string[] {
  const tag = environment['GITHUB_REF_TYPE'] === 'tag' ? environment['GITHUB_REF_NAME'] : undefined;
  if (tag === undefined || [...versions].every((version) => tag === `v${version}`)) return [];
  return [`The tag is ${tag}, and the packages have version ${[...versions].join(', ')}. Tag the commit that has their version.`];
}
