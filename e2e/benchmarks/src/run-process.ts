import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

/** What a process that measures gets to know beside its plan. */
export interface ProcessOptions {
  /** A folder for what it writes. It is also where it runs. */
  readonly workspace: string;
  readonly timeoutMs: number;
}

let runs = 0;

/**
 * Runs a module of this folder as a fresh process with a plan, and gives what it wrote to the file `output` of that plan.
 *
 * @throws {Error} with the end of what it printed, where it failed or took too long
 */
export async function runProcess<Answer>(module: string, plan: object, { workspace, timeoutMs }: ProcessOptions): Promise<Answer> {
  runs += 1;
  const output = path.join(workspace, `${runs}.json`);
  // Contenders leave sandboxes in the folder for temporary files.
  const temporary = path.join(workspace, `tmp-${runs}`);
  mkdirSync(temporary);
  const program = path.join(import.meta.dirname, module);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, JSON.stringify({ ...plan, output })],
        {
          cwd: workspace,
          // As it is deployed. In development, one contender asks a server on the web for lists of models.
          env: { ...process.env, NODE_ENV: 'production', TMPDIR: temporary },
          timeout: timeoutMs,
          maxBuffer: 256 * 1024 * 1024,
        },
        (error, _stdout, stderr) => {
          if (error === null) resolve();
          else if (child.signalCode !== null) reject(new Error(`It took longer than ${timeoutMs / 1000} s.`));
          else reject(new Error(/^\w*Error.*$/m.exec(stderr)?.[0] ?? `It ended with exit code ${error.code}.`));
        },
      );
    });
    return JSON.parse(readFileSync(output, 'utf8')) as Answer;
  } finally {
    await rm(output, { force: true });
    await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}
