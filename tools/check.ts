/**
 * `pnpm check [--only lint,format] [--list]`: everything about the repository that is not a test. Ends with exit code 1 if a step failed.
 */
import { parseArgs } from 'node:util';
import { checkSteps, runCheckSteps } from './check-steps.ts';
import { tellCheckResult } from './tell-check-result.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean', default: false } } });
const names = checkSteps.map(({ name }) => name);
const only = values.only?.split(',') ?? names;
const unknown = only.filter((name) => !names.includes(name));

if (values.list) {
  for (const { name, about } of checkSteps) console.log(`${name.padEnd(10)}${about}`);
} else if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. The steps are ${names.join(', ')}.`);
  process.exitCode = 1;
} else {
  const results = await runCheckSteps(only, tellCheckResult);
  if (results.some(({ ok }) => !ok)) process.exitCode = 1;
}
