import { runCommand } from '../run-command.ts';
import type { ReleasePlan } from './release-plan.ts';

/**
 * Publishes the archives, one by one, with provenance. What the registry has already is left out, so that a release that broke off can be run again.
 *
 * @throws {Error} with npm's words, at the first that cannot be published
 */
export async function publishRelease({ packages }: ReleasePlan, tell: (line: string) => void): Promise<void> {
  for (const { name, version, archive } of packages) {
    const there = await runCommand(['npm', 'view', `${name}@${version}`, 'version']);
    if (there.ok && there.output.includes(version)) {
      tell(`${name} ${version} is there already.`);
      continue;
    }
    const { ok, output } = await runCommand(['npm', 'publish', archive, '--provenance', '--access', 'public']);
    if (!ok) throw new Error(`${name} ${version} could not be published:\n${output}`);
    tell(`${name} ${version} is published.`);
  }
}
