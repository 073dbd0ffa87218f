import { skillDigest, type SkillRunner, type SkillRunRequest, type SkillRunResult } from '@repertoire/skills-core/provider';

export type Texts = Readonly<Record<string, string>>;

/** What a test says of a run; the rest is filled in. */
export type Run = Partial<Omit<SkillRunRequest, 'files' | 'script' | 'command'>> & { readonly script?: string; readonly command?: string };

export function bytesOf(files: Texts): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]));
}

/** A request to run the first of these files, unless it says otherwise. */
export async function requestOf(files: Texts, run: Run = {}): Promise<SkillRunRequest> {
  const bytes = bytesOf(files);
  const target = run.command === undefined ? { script: run.script ?? Object.keys(files)[0] ?? '' } : { command: run.command };
  return { skill: { name: 'sample' }, digest: await skillDigest(bytes), ...run, files: bytes, ...target } as unknown as SkillRunRequest;
}

export async function runFiles(runner: SkillRunner, files: Texts, run: Run = {}): Promise<SkillRunResult> {
  return runner.run(await requestOf(files, run));
}

export function textOf(result: SkillRunResult, path: string): string | null {
  const bytes = result.filesWritten.find((file) => file.path === path)?.bytes;
  return bytes === undefined || bytes === null ? null : new TextDecoder().decode(bytes);
}
