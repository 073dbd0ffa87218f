import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import path from 'node:path';
import { contenders, minisearch } from './contenders.ts';

/** What the figures were measured on. */
export interface Machine {
  readonly date: string;
  readonly commit: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly memoryGb: number;
}

/** This computer. */
export function thisMachine(): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    node: process.version,
    system: `${platform()} ${release()}, ${arch()}`,
    processor: `${all.length} × ${all[0]?.model.trim() ?? 'unknown'}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
  };
}

/** Names of contenders with package and version, as they are installed. */
export function installedVersions(): readonly (readonly [string, string])[] {
  return [...contenders, minisearch]
    .filter(({ id }) => id !== 'repertoire')
    .map((contender) => {
      const place = path.join(import.meta.dirname, '../peers', contender.id, 'node_modules', contender.package, 'package.json');
      const { version } = JSON.parse(readFileSync(place, 'utf8')) as { readonly version: string };
      return [contender.name, `${contender.package}@${version}`] as const;
    });
}

function commit(): string {
  const git = (...parameters: string[]): string => execFileSync('git', parameters, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', '../../packages').length > 0;
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
