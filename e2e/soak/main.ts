/** `pnpm soak [--minutes 10] [--seed 1] [--skills 1000] [--json]`: one process changes four sources and lets them fail, an agent in another one runs on them; `judge.ts` says what has to hold. Ends with exit code 1 where something does not. */
import { parseArgs } from 'node:util';
import { judgeSoak } from './judge.ts';
import { renderSoak } from './render-soak.ts';
import { runSoak } from './run-soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    skills: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const [minutes, seed, skills] = [values.minutes, values.seed, values.skills].map(Number) as [number, number, number];
if (!(minutes > 0) || !Number.isSafeInteger(seed) || !(skills >= 20)) {
  console.error('Give --minutes greater than 0, a whole --seed, and at least 20 --skills.');
  process.exitCode = 1;
} else {
  const figures = await runSoak({ minutes, seed, skills });
  const problems = judgeSoak(figures);
  console.log(values.json ? JSON.stringify({ ...figures, problems }, null, 2) : renderSoak(figures));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
