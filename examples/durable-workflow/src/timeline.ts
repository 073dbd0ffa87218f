import type { ProcessRun } from './run-process.ts';

/** One line for each call and one column for each process that ran it. */
export function timeline(runs: readonly ProcessRun[]): string {
  const calls = [...new Set(runs.flatMap(({ ran }) => ran))];
  const width = Math.max(...calls.map(({ length }) => length)) + 2;
  const cell = (text: string): string => text.padEnd(14);
  const header = `${' '.repeat(width)}${runs.map((_run, index) => cell(`process ${index + 1}`)).join('')}`;
  const lines = calls.map((call) => `${call.padEnd(width)}${runs.map((run) => cell(stateOf(call, run))).join('')}`);
  return [header, ...lines].map((line) => line.trimEnd()).join('\n');
}

function stateOf(call: string, { ran, recorded, killed }: ProcessRun): string {
  if (ran.includes(call)) return killed && ran.at(-1) === call ? '✗ killed' : '● ran';
  return recorded.includes(call) ? '○ recorded' : '';
}
