import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../tools/run-command.ts';
import { repositoryRoot } from '../../tools/workspace.ts';

const directory = join(repositoryRoot, 'node_modules/.cache/repertoire-result-line');

beforeAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('a run ends with what passed, what failed, and why something was skipped', async () => {
  const files = {
    'vitest.config.ts': `import { ResultLineReporter } from '../../../tools/vitest-reporter.ts';
      export default { test: { include: ['*.case.ts'], reporters: [new ResultLineReporter()] } };`,
    'mixed.case.ts': `import { expect, it } from 'vitest';
      it('holds', () => expect(1).toBe(1));
      it('does not hold', () => expect(1).toBe(2));
      it('waits', ({ skip }) => skip('no server here'));
      it.skip('is off', () => {});`,
    'broken.case.ts': `throw new Error('cannot load');`,
  };
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)));

  const environment = { REPERTOIRE_TOTALS: '' };
  const { ok, output } = await runCommand(['vitest', 'run', '--root', '.', '--config', 'vitest.config.ts'], { directory, environment });
  expect(ok).toBe(false);
  expect(output.trimEnd().split('\n').slice(-2)).toEqual([
    '2 skipped: waits: no server here; is off: no reason given',
    '1 passed, 2 failed',
  ]);
});
