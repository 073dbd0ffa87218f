/**
 * Books a trip, is killed in the middle of it, and finishes at the next start. It needs no server
 * and no installation. It exits with 1 if a finished step ran twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { progressLine } from '@repertoire/skill-workflow';
import { runProcess } from './run-process.ts';
import { timeline } from './timeline.ts';

const killAt = 'bookings/book-hotel';
const folder = await mkdtemp(join(tmpdir(), 'durable-workflow-'));
try {
  console.log(`Process 1 starts. It will be killed (SIGKILL) in ${killAt}.`);
  const first = await runProcess(folder, killAt, (progress) => console.log(`  ${progressLine(progress)}`));
  console.log('Process 1 is dead. Process 2 starts with the same folder.');
  const second = await runProcess(folder, undefined, (progress) => console.log(`  ${progressLine(progress)}`));
  console.log(`\n${timeline([first, second])}\n\n${String(second.output)}`);

  const times = (call: string): number => [...first.ran, ...second.ran].filter((other) => other === call).length;
  const expected = { timetable: 1, 'bookings/book-train': 1, [killAt]: 2, payment: 1, letter: 1 };
  const wrong = Object.entries(expected).filter(([call, count]) => times(call) !== count);
  if (!first.killed || wrong.length > 0 || typeof second.output !== 'string') {
    console.error(
      `Not as it should be: ${wrong.map(([call]) => `${call} ran ${times(call)} times`).join(', ') || 'it was not killed, or has no output'}.`,
    );
    process.exitCode = 1;
  } else console.log('Every step that had finished ran once. The one that was cut ran again, with the same idempotency key.');
} finally {
  await rm(folder, { recursive: true, force: true });
}
