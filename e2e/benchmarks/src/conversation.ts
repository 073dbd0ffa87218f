import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { numeral } from './report.ts';

/** What the calls of a conversation cost, and how busy the computer was then. */
export interface ConversationCosts {
  readonly load: number;
  /** Milliseconds, without approvals and with them. */
  readonly medians: readonly { readonly what: string; readonly without: number; readonly asking: number }[];
}

const project = path.resolve(import.meta.dirname, '../../../benchmarks');

/** Runs the program of the project that measures its own conversations. The other libraries hold nothing, so they have no figure. */
export async function measureConversation(): Promise<ConversationCosts> {
  const given = ['--conditions=@repertoire/source', path.join(project, 'src/session.ts'), '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, given, { cwd: project });
  return { load: loadavg()[0] ?? 0, medians: JSON.parse(stdout) as ConversationCosts['medians'] };
}

/** The part of the page about it. */
export function conversationPart({ load, medians }: ConversationCosts): string {
  const rows = medians.map(({ what, without, asking }) => `| ${what} | ${numeral(without)} | ${numeral(asking)} |`);
  return `## A conversation

What a loaded skill is bound to is asked for again in each request and at each call of a gated tool. The other libraries bind nothing, so there is
nobody beside Repertoire here. Each figure is the median of 201 calls in one warm process, over 200 skills in a folder, in milliseconds
of the processor: a busy computer changes them less than those of the clock. Measured at load ${load.toFixed(1)} by
[\`benchmarks/src/session.ts\`](../benchmarks/src/session.ts), with sources as they are.

| | ms | ms, with approvals |
|---|---:|---:|
${rows.join('\n')}`;
}
