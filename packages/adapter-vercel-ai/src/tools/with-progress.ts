import type { SkillToolResult } from '@repertoire/skills-core/adapter';

/** Yields all lines so far, then the answer. Slow readers skip texts. */
export async function* withProgress(work: (onProgress: (line: string) => void) => Promise<SkillToolResult>): AsyncGenerator<string> {
  const lines: string[] = [];
  let told = 0;
  let wake = Promise.withResolvers<void>();
  const running = work((line) => {
    lines.push(line);
    wake.resolve();
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  while (true) {
    if (lines.length > told) {
      told = lines.length;
      yield lines.join('\n');
      continue;
    }
    if (await Promise.race([ended, wake.promise.then(() => false)])) break;
    wake = Promise.withResolvers<void>();
  }
  yield (await running).text;
}
