import { run } from '@repertoire/cli';

/** What `repertoire proposals show` says of one proposal. */
export interface Reviewed {
  /** The digest of what was shown. */
  readonly content: string;
  readonly check: {
    readonly findings: readonly { readonly severity: string; readonly code: string }[];
    readonly allows: readonly { readonly kind: string; readonly what: string }[];
    readonly tokens: { readonly before: number; readonly after: number };
  };
}

/** Runs `repertoire proposals …` in a folder, as a person does in a terminal. */
export async function proposalsCommand<Data>(cwd: string, ...words: readonly string[]): Promise<Data & { readonly code: number }> {
  let [stdout, stderr] = ['', ''];
  const code = await run(['proposals', ...words, '--json'], {
    cwd,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
  });
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as Data), code };
}

/** A person, scripted: accepts what has no finding and newly allows nothing, and gives the digest of what was shown. */
export async function reviewAsAda(cwd: string, id: string): Promise<'accepted' | 'rejected'> {
  const { check, content } = await proposalsCommand<Reviewed>(cwd, 'show', id);
  const by = ['--by', 'Ada (scripted)'];
  if (check.findings.length > 0 || check.allows.length > 0) {
    await proposalsCommand(cwd, 'reject', id, ...by, '--reason', 'It asks for more than it needs.');
    return 'rejected';
  }
  const { code } = await proposalsCommand(cwd, 'accept', id, ...by, '--digest', content);
  if (code !== 0) throw new Error(`Accepting ${id} failed.`);
  return 'accepted';
}
