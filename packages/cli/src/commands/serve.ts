import path from 'node:path';
import { SkillError } from '@repertoire/skills-core';
import { Option, type Command } from 'commander';
import { requestCount } from '../serve/request-count.ts';
import { startServer, type RunningServer } from '../serve/start-server.ts';
import { listSource, openSource, type OpenedSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { aborted } from '../text/aborted.ts';
import { jsonOption, runCommand, type CommandIo } from './command.ts';

interface ServeCommandOptions {
  readonly http?: boolean;
  readonly mcp?: 'stdio' | 'http';
  readonly exposeTools?: boolean;
  readonly port: number;
  readonly host: string;
  readonly cache?: string;
  readonly json?: boolean;
}

/** `repertoire serve`: skills for other machines and other programs, until it is stopped. */
export function serveCommand(program: Command, io: CommandIo): void {
  program
    .command('serve')
    .summary('serve skills over HTTP, or as an MCP server')
    .description(
      'Serves skills until Ctrl-C. Every file is read and checked before the first request; changes in folders are noticed.\nThere is no authentication: serve others only behind a server of your own.',
    )
    .argument('[sources...]', 'folders, archives, URLs, MCP servers or storage; else the places where agents keep skills')
    .addOption(new Option('--http', 'serve the documents that @repertoire/skill-http reads').conflicts(['mcp', 'exposeTools']))
    .addOption(new Option('--mcp <transport>', 'be an MCP server, over stdio or over HTTP at /mcp').choices(['stdio', 'http']))
    .option('--expose-tools', 'with --mcp: also offer tools and prompts, for clients without the Skills extension')
    .addOption(new Option('--port <number>', 'the port; 0 takes a free one').argParser(parseWhole(0, 65_535)).default(3000))
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .addOption(
      new Option(
        '--cache <folder>',
        'with --mcp: keep the digests of files here, so that the next start reads only what changed; a folder of your own',
      ).conflicts('http'),
    )
    .option(...jsonOption)
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action(async (words: string[], options: ServeCommandOptions) => {
      let source: OpenedSource | undefined;
      let running: RunningServer | undefined;
      const requests = requestCount(options.json === true ? { write: () => undefined } : io.stderr);
      const serve = async (): Promise<void> =>
        await runCommand(io, options, async (report) => {
          if (options.http !== true && options.mcp === undefined)
            throw new SkillError('invalid-options', 'Give --http, --mcp stdio or --mcp http.');
          if (options.mcp === 'stdio' && options.json === true) {
            throw new SkillError('invalid-options', '--json cannot be used with --mcp stdio: stdout belongs to the protocol.');
          }
          // Over HTTP the files themselves are in memory, so cached digests gain nothing.
          const digests = options.cache === undefined ? true : { folder: path.resolve(io.cwd, options.cache) };
          source = await openSource(words, io, report, { digests: options.mcp === undefined ? false : digests });
          const { skills } = await listSource(source, io, report);
          report.note(`Reading ${count(skills.length, 'skill')}…`);
          const { host, port, exposeTools = false } = options;
          const kind = options.mcp === undefined ? 'http' : options.mcp === 'http' ? 'mcp-http' : 'mcp-stdio';
          const onProgress = everySecond((done, total) => report.note(`Read ${done} of ${count(total, 'skill')}…`));
          running = await startServer(source.provider, {
            kind,
            host,
            port,
            exposeTools,
            onProgress,
            onAnswer: requests.add,
            signal: io.signal,
          });
          for (const diagnostic of running.diagnostics) report.diagnostic(diagnostic);
          const summary = `Serving ${count(skills.length, 'skill')} ${running.url === null ? 'over stdio' : `at ${running.url}`}. Stop with Ctrl-C.`;
          if (running.url === null) report.note(summary);
          return { summary: running.url === null ? '' : summary, data: { url: running.url, skills: skills.length } };
        });
      try {
        await serve();
        if (running !== undefined) await Promise.race([running.ended, aborted(io.signal)]);
      } finally {
        requests.end();
        await running?.[Symbol.asyncDispose]();
        await source?.[Symbol.asyncDispose]();
      }
    });
}

const helpFooter = `
Examples:
  repertoire serve ./skills --http
  repertoire serve ./skills --mcp stdio                  as the command of an MCP client
  repertoire serve ./skills --mcp http --port 8080 --expose-tools

Exit codes: 0 the client ended it, 1 it could not be served, 2 wrong usage, 130 ended by Ctrl-C.`;

/** Tells of progress at most once a second, so that what is quick says nothing. */
function everySecond(tell: (done: number, total: number) => void): (done: number, total: number) => void {
  let toldAt = performance.now();
  return (done, total) => {
    if (performance.now() - toldAt < 1_000) return;
    toldAt = performance.now();
    tell(done, total);
  };
}
