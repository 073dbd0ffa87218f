import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSkillLock } from '@repertoire/skills-core/lock';
import { readListing } from '@repertoire/skills-core/provider';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { openSource, type OpenedSource } from '../source/open-source.ts';
import { readTextFile } from '../source/read-text-file.ts';
import { count } from '../text/count.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface InspectCommandOptions {
  readonly export?: string;
  readonly transcript?: readonly string[];
  readonly lock?: string;
  readonly root?: readonly string[];
  readonly publicKey?: readonly string[];
  readonly maxTokens?: number;
  readonly port: number;
  readonly json?: boolean;
}

/** `repertoire inspect`: a local page that shows what an agent sees of its skills, until it is stopped. */
export function inspectCommand(program: Command, io: CommandIo): void {
  program
    .command('inspect')
    .summary('look at skills, prompts and conversations in a browser')
    .description(
      'Serves a page on this machine until Ctrl-C: what skills cost, which are alike, the exact prompt, and recorded conversations.\nOnly this machine can reach it, and only with the token of the address.',
    )
    .argument('[sources...]', 'folders that hold skills, or http(s) URLs; else the places where agents keep skills')
    .option('--transcript <files...>', 'recorded conversations: AI SDK, LangGraph, events, OpenTelemetry spans, Claude Code sessions')
    .option('--lock <file>', 'hold the skills to the bytes of a lock file')
    .option('--root <files...>', 'root certificates that you trust, as PEM, to verify signatures')
    .option('--public-key <files...>', 'public keys that you trust, as PEM')
    .addOption(new Option('--max-tokens <count>', 'the most tokens of the catalog').argParser(parseNumber))
    .addOption(new Option('--port <number>', 'the port; 0 takes a free one').argParser(parseNumber).default(0))
    .option('--export <file>', 'write one self-contained HTML file instead of serving')
    .option(...jsonOption)
    .addHelpText('after', helpFooter)
    .action(async (words: string[], options: InspectCommandOptions) => {
      let source: OpenedSource | undefined;
      let running: AsyncDisposable | undefined;
      try {
        await runCommand(io, options, async () => {
          source = await openSource(words, io);
          const { provider } = source;
          const { inspectorReport, startInspector } = await import('@repertoire/inspector');
          const { skills } = await readListing(provider, { signal: io.signal });
          const common = { provider, ...(words.length > 0 && { title: words.join(', ') }), ...(await filesOf(options, io)) };
          if (options.export !== undefined) {
            const file = path.resolve(io.cwd, options.export);
            await writeFile(file, await inspectorReport({ ...common, signal: io.signal }));
            return {
              summary: `Wrote ${options.export}: ${count(skills.length, 'skill')}.`,
              data: { file: options.export, skills: skills.length },
            };
          }
          const inspector = await startInspector({ ...common, port: options.port });
          running = inspector;
          return { summary: `Open ${inspector.url}\nStop with Ctrl-C.`, data: { url: inspector.url, skills: skills.length } };
        });
        if (running !== undefined) await aborted(io.signal);
      } finally {
        await running?.[Symbol.asyncDispose]();
        await source?.[Symbol.asyncDispose]();
      }
    });
}

const helpFooter = `
Examples:
  repertoire inspect ./skills
  repertoire inspect ./skills --transcript chat.json --lock skills.lock.json
  repertoire inspect ./skills --export report.html               one file to send to somebody

Exit codes: 0 written, 1 it could not be read or served, 2 wrong usage, 130 ended by Ctrl-C.`;

async function filesOf({ transcript = [], lock, root = [], publicKey = [], maxTokens }: InspectCommandOptions, io: CommandIo) {
  const read = async (files: readonly string[], option: string): Promise<string[]> =>
    await Promise.all(files.map(async (file) => await readTextFile(file, option, io.cwd)));
  const texts = await read(transcript, '--transcript');
  return {
    recordings: transcript.map((file, index) => ({ title: path.basename(file), text: texts[index] ?? '' })),
    ...(lock !== undefined && { lock: parseSkillLock(await readTextFile(lock, '--lock', io.cwd)) }),
    roots: await read(root, '--root'),
    publicKeys: await read(publicKey, '--public-key'),
    ...(maxTokens !== undefined && { settings: { maxTokens } }),
  };
}

/** Rejects with the reason when it is given up. */
async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as unknown), { once: true }));
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0 && number <= 10_000_000) return number;
  throw new InvalidArgumentError('Give a whole number.');
}
