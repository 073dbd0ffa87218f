import { run } from './run.ts';

const controller = new AbortController();
// Once: whoever asks a second time does not want to wait any more.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort(name));

// The reader has seen enough, such as `head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

try {
  process.exitCode = await run(process.argv.slice(2), { signal: controller.signal });
} catch (error) {
  if (!controller.signal.aborted) throw error;
  process.exitCode = controller.signal.reason === 'SIGINT' ? 130 : 143;
}
