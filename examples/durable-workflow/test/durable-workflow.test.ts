import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('FLW-3: the example is killed in the middle, finishes, and shows which steps ran once', async () => {
  const main = join(import.meta.dirname, '../src/main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@repertoire/source', main]);
  const shown = [
    '                     process 1     process 2',
    'timetable            ● ran         ○ recorded',
    'bookings/book-train  ● ran         ○ recorded',
    'bookings/book-hotel  ✗ killed      ● ran',
    'payment                            ● ran',
    'letter                             ● ran',
    '',
    'Your trip is booked, 129 euros are paid.',
    'Every step that had finished ran once. The one that was cut ran again, with the same idempotency key.',
  ].join('\n');
  expect(stdout).toContain(shown);
});
