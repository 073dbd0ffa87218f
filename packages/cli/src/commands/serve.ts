import path from 'node:path';
import { Option, type Command } from 'commander';
import { requestCount } from '../serve/request-count.ts';
import { runServing, type Serving } from '../serve/run-serving.ts';
import { startServer } from '../serve/start-server.ts';
import { listSource, openSource } from '../source/open-source.ts';
import { sourceHelp } from '../source/source-word.ts';
import { count } from '../text/count.ts';
import { parseWhole } from '../text/parse-whole.ts';
import { type CommandIo, type CommandReport, type CommandResult } from './command.ts';
import { wrongUsage } from '../text/wrong-usage.ts';

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
export function serveCommand(command: Command, io: CommandIo): void {
  command
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
    .addHelpText('after', `${sourceHelp}${helpFooter}`)
    .action(async (words: string[], options: ServeCommandOptions) => {
      await runServing(io, options, async (serving, report) => await serve(words, options, serving, report, io));
    });
}

const helpFooter = `
Examples:
  repertoire serve ./skills --http
  repertoire serve ./skills --mcp stdio                  as the command of an MCP client
  repertoire serve ./skills --mcp http --port 8080 --expose-tools

Exit codes: 0 the client ended it, 1 it could not be served, 2 wrong usage, 130 ended by Ctrl-C.`;

async function serve(
  words: readonly string[],
  { http = false, mcp, exposeTools = false, cache, host, port, json }: ServeCommandOptions,
  serving: Serving,
  report: CommandReport,
  io: CommandIo,
): Promise<CommandResult> {
  if (!http && mcp === undefined) throw wrongUsage('Give --http, --mcp stdio or --mcp http.');
  if (mcp === 'stdio' && json === true) {
    throw wrongUsage('--json cannot be used with --mcp stdio: stdout belongs to the protocol.');
  }
  // Over HTTP the files themselves are in memory, so cached digests gain nothing.
  const digests = mcp !== undefined && (cache === undefined || { folder: path.resolve(io.cwd, cache) });
  const source = (serving.source = await openSource(words, io, report, { digests }));
  const { skills } = await listSource(source, io, report);
  report.note(`Reading ${count(skills.length, 'skill')}…`);
  const requests = requestCount(json === true ? { write: () => undefined } : io.stderr);
  serving.onEnd = requests.end;
  const { url, diagnostics } = (serving.running = await startServer(source.provider, {
    kind: mcp === undefined ? 'http' : `mcp-${mcp}`,
    host,
    port,
    exposeTools,
    onProgress: everySecond((done, total) => report.note(`Read ${done} of ${count(total, 'skill')}…`)),
    onAnswer: requests.add,
    signal: io.signal,
  }));
  report.diagnostics(diagnostics);
  const summary = `Serving ${count(skills.length, 'skill')} ${url === null ? 'over stdio' : `at ${url}`}. Stop with Ctrl-C.`;
  if (url === null) report.note(summary);
  return { summary: url === null ? '' : summary, data: { url, skills: skills.length } };
}

/** Tells of progress at most once a second, so that what is quick says nothing. */
function everySecond(tell: (done: number, total: number) => void): (done: number, total: number) => void {
  let toldAt = performance.now();
  return (done, total) => {
    if (performance.now() - toldAt < 1_000) return;
    toldAt = performance.now();
    tell(done, total);
  };
}
