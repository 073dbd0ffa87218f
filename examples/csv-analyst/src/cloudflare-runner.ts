import { SkillError } from '@repertoire/skills-core';
import { skillDigest, type SkillRunner } from '@repertoire/skills-core/provider';

/** What is used of `getSandbox(env.Sandbox, id)` of `@cloudflare/sandbox`. */
interface SandboxLike {
  mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  writeFile(path: string, content: string, options: { encoding: string }): Promise<unknown>;
  exec(
    command: string,
    options: { cwd: string; env: Record<string, string>; timeout: number; signal?: AbortSignal },
  ): Promise<{ exitCode: number; stdout: string; stderr: string; duration: number }>;
  destroy(): Promise<void>;
}

/** It takes a shell line, so every argument is quoted. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const base64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** `open` gives a fresh sandbox for each run, one that has no access to the internet. */
export function cloudflareRunner(open: () => SandboxLike): SkillRunner {
  return {
    label: 'cloudflare-sandbox',
    async run({
      skill,
      digest,
      files,
      inputs = {},
      script,
      command,
      arguments: given = [],
      stdin = '',
      env = {},
      cwd = '',
      timeoutMs = 30_000,
      maxOutputBytes = 65_536,
      signal,
    }) {
      const own = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, new Uint8Array(bytes)]));
      if ((await skillDigest(own)) !== digest)
        throw new SkillError('digest-mismatch', `The files of ${skill.name} changed. Load it again.`);
      const program = command === undefined ? { py: 'python3', sh: 'bash' }[script.split('.').pop() ?? ''] : 'bash';
      if (program === undefined) throw new SkillError('unsupported', `${script} is neither Python nor Bash.`);
      const what = command === undefined ? [`/workspace/skill/${script}`] : ['-c', command, 'skill'];
      const line = [program, ...what, ...given].map(quote).join(' ');
      if (line.includes('\0')) throw new SkillError('invalid-input', 'An argument holds a NUL character.');
      const sandbox = open();
      try {
        const input = typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin;
        for (const [path, bytes] of [
          ...Object.entries(own).map(([name, content]) => [`skill/${name}`, content] as const),
          // In a folder of their own, where no program looks for code.
          ...Object.entries(inputs).map(([name, content]) => [`skill/inputs/${name}`, content] as const),
          ['stdin', input] as const,
        ]) {
          await sandbox.mkdir(`/workspace/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
          await sandbox.writeFile(`/workspace/${path}`, base64(bytes), { encoding: 'base64' });
        }
        const end = await sandbox.exec(`${line} < /workspace/stdin`, {
          cwd: `/workspace/skill/${cwd}`,
          env: { ...env },
          timeout: timeoutMs,
          ...(signal && { signal }),
        });
        signal?.throwIfAborted();
        const [stdout, stderr] = [end.stdout.slice(0, maxOutputBytes), end.stderr.slice(0, maxOutputBytes)];
        return {
          exitCode: end.exitCode,
          endedBy: 'exit',
          stdout,
          stderr,
          truncated: stdout.length + stderr.length < end.stdout.length + end.stderr.length,
          durationMs: end.duration,
          filesWritten: [],
          confinement: { kind: 'cloudflare-sandbox', holds: ['host-reads', 'host-writes', 'environment', 'processes'] },
        };
      } finally {
        await sandbox.destroy();
      }
    },
  };
}
