import { openWorkerd } from './open-workerd.ts';

/**
 * Runs an ES module in the real Workers runtime, without Node's compatibility unless a flag turns it on, and gives the JSON that its `fetch` answers.
 *
 * @throws {Error} with the answer's text where it is not 200
 */
export async function runInWorkerd(script: string, compatibilityFlags: readonly string[] = []): Promise<unknown> {
  const runtime = openWorkerd(script, { compatibilityFlags });
  try {
    const response = await runtime.dispatchFetch('http://localhost/');
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The worker answered ${response.status}: ${text}`);
    return JSON.parse(text);
  } finally {
    await runtime.dispose();
  }
}
