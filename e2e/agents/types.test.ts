import { expect, it } from 'vitest';
import { runCommand } from '../../tools/run-command.ts';

// The frameworks are not installed where everything else is checked, so what their types say of our values is checked here.
it('BRG-1: what the bridges return has the types of the frameworks', async () => {
  // One checker: several would each look into the same frameworks.
  const { ok, output } = await runCommand(['tsc', '-p', 'e2e/agents', '--checkers', '1']);
  expect(output).toBe('');
  expect(ok).toBe(true);
});
