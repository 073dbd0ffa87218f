import { runCommand } from '../run-command.ts';

/** The commit that is checked out, and the day that it was made on. */
export async function headCommit(): Promise<{ readonly commit: string; readonly date: string }> {
  const [commit = '', date = ''] = (await git('log', '-1', '--format=%H %cs')).trim().split(' ');
  return { commit, date };
}

/** Files that a change touches: since the commit in `CHANGE_BASE`, else in the commits of the day before the last one. */
export async function changedSources(): Promise<ReadonlySet<string>> {
  const { CHANGE_BASE } = process.env;
  const last = (await git('log', '-1', '--format=%ct')).trim();
  const before = CHANGE_BASE ?? (await git('rev-list', '-1', `--before=${Number(last) - 24 * 60 * 60}`, 'HEAD')).trim();
  const changed = await (before === '' ? git('ls-files') : git('diff', '--name-only', before, 'HEAD'));
  return new Set(changed.split('\n').filter((path) => path !== ''));
}

async function git(...args: readonly string[]): Promise<string> {
  const { ok, output } = await runCommand(['git', ...args]);
  if (!ok) throw new Error(`git ${args.join(' ')} failed: ${output}`);
  return output;
}
