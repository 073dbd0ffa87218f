import { run } from '@repertoire/cli';
import { onTestFinished } from 'vitest';

/** Serves in this process until the test ends, and gives the address. */
export async function serving(
  cwd: string,
  ...argv: string[]
): Promise<{ url: string; stderr: () => string; stop: () => Promise<unknown> }> {
  const controller = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  let stderr = '';
  const ended = run(['serve', ...argv, '--port', '0', '--json'], {
    cwd,
    env: {},
    signal: controller.signal,
    stdout: { write: resolve },
    stderr: { write: (text) => (stderr += text) },
  });
  const stop = async (): Promise<unknown> => {
    controller.abort('stop');
    return await ended.catch((error: unknown) => error);
  };
  onTestFinished(async () => void (await stop()));
  const { url } = JSON.parse(await promise) as { url: string };
  return { url, stderr: () => stderr, stop };
}
