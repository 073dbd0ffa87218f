/**
 * Kills processes of a chat, or stops their answers, at everything that a turn waits for, and goes on in another process.
 *
 *     node --conditions=@repertoire/source e2e/chat/kills.ts sqlite|postgres|FOLDER|URL [KILLS]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UIMessage } from 'ai';
import { startPostgres, installedPostgres } from '../../test/support/postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { answered, openShop, said, type Shop } from './shop-chat.ts';
import { scripts, type Visit } from './shop-visit.ts';

/** What came of all visits. */
export interface KillReport {
  readonly kills: number;
  readonly stops: number;
  /** Visits that ended before their point. */
  readonly whole: number;
  /** What broke a promise. */
  readonly broken: readonly string[];
}

/** Short, so that a lost conversation is free soon. */
const leaseMs = 250;

const ways = ['say', 'again', 'message'] as const;

/** @param most how many processes are lost at most; each script is tried at each of its points, and then anew with another way to go on */
export async function runKills(
  place: string,
  most: number,
  onProgress: (report: KillReport) => void = () => undefined,
): Promise<KillReport> {
  const program = await bundleProgram('shop-visit');
  const shop = await openShop({ place, leaseMs });
  const report = { kills: 0, stops: 0, whole: 0, broken: [] as string[] };
  const run = Math.random().toString(36).slice(2, 8);
  try {
    for (let round = 0; report.kills < most; round++) {
      for (const script of Object.keys(scripts) as (keyof typeof scripts)[]) {
        let isOver = false;
        for (let at = 1; !isOver && report.kills < most; at++) {
          // Each third one is stopped, and not killed.
          const how = (at + round) % 3 === 2 ? 'stop' : 'kill';
          const id = `${run}-${script}-${round}-${at}`;
          const { signal, code, error } = await lose(program, { place, id, script, at, how, leaseMs });
          if (signal === 'SIGKILL') report.kills += 1;
          else if (code !== 0) report.broken.push(`${id} (${how}): it ended with ${code}: ${error}`);
          else if (how === 'stop') report.stops += 1;
          else isOver = true;
          if (isOver) report.whole += 1;
          report.broken.push(
            ...(await goOn(shop, id, ways[(at + round) % ways.length] ?? 'say')).map((what) => `${id} (${how} at ${at}): ${what}`),
          );
          onProgress(report);
          if (at > 500) isOver = true;
        }
      }
    }
  } finally {
    await shop.close();
  }
  return report;
}

async function lose(program: string, visit: Visit): Promise<{ signal: string | null; code: number | null; error: string }> {
  const child = spawn(process.execPath, [program, JSON.stringify(visit)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let error = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (error += text));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code, signal, error };
}

/** Goes on with a conversation as a page does, and says what is wrong. */
async function goOn(shop: Shop, id: string, way: (typeof ways)[number]): Promise<string[]> {
  const broken: string[] = [];
  const before = await settled(shop, id);
  const last = before.at(-1);
  const lastSaid = before.findLast(({ role }) => role === 'user');
  if (way === 'again' && last?.role === 'assistant') await (await send(shop, id, answered(last, true))).text();
  if (way === 'message' && lastSaid !== undefined) await (await send(shop, id, lastSaid)).text();
  const response = await send(shop, id, said('How far are we?', `${id}-on`));
  const text = await response.text();
  if (response.status !== 200 || text.includes('"type":"error"') || !text.includes('"type":"finish"')) {
    broken.push(`it does not go on: ${response.status} ${text.slice(0, 300)}`);
  }
  const paid = (await shop.paid()).filter((what) => what.startsWith(`${id}-`));
  const twice = paid.filter((what, at) => paid.indexOf(what) !== at);
  if (twice.length > 0) broken.push(`made twice: ${twice.join(', ')}`);
  const shown = statesOf(await settled(shop, id));
  for (const what of paid) {
    const state = shown.get(what);
    if (state !== 'done' && state !== 'unknown') broken.push(`${what} ran and is shown as ${state ?? 'nothing'}`);
  }
  for (const [what, state] of shown) if (state === 'done' && !paid.includes(what)) broken.push(`${what} did not run and is shown as done`);
  return broken;
}

/** What the page shows of each order. */
function statesOf(messages: readonly UIMessage[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part): [string, string][] => {
        if (!('toolCallId' in part)) return [];
        const order = (part.input as { readonly order?: string } | undefined)?.order;
        if (order === undefined) return [];
        if (part.state === 'output-available') return [[order, 'done']];
        const isUnknown = part.state === 'output-error' && part.errorText.startsWith('The outcome of this call is unknown.');
        return [[order, isUnknown ? 'unknown' : `${part.state} ${'errorText' in part ? (part.errorText ?? '') : ''}`]];
      }),
    ),
  );
}

/** Waits while the lost process still has the conversation. */
async function send(shop: Shop, id: string, message: UIMessage): Promise<Response> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await shop.send(id, { message });
    if (response.headers.get('retry-after') === null) return response;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return new Response('It stays busy.', { status: 500 });
}

async function settled(shop: Shop, id: string): Promise<UIMessage[]> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await shop.store.read({ person: 'ann', chat: id });
    if (found === undefined) return [];
    if (found.writer === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return await shop.messages(id);
}

if (import.meta.main) {
  const [where = 'sqlite', kills = '100'] = process.argv.slice(2);
  const programs = installedPostgres();
  const postgres = where === 'postgres' && programs !== undefined ? await startPostgres(programs) : undefined;
  const place = postgres?.url ?? (where === 'sqlite' ? mkdtempSync(join(tmpdir(), 'chat-kills-')) : where);
  let told = 0;
  const report = await runKills(place, Number(kills), ({ kills: so, stops, broken }) => {
    if (so + stops < told + 25) return;
    told = so + stops;
    process.stdout.write(`${so} killed, ${stops} stopped, ${broken.length} broken\n`);
  });
  for (const what of report.broken) process.stdout.write(`${what}\n`);
  process.stdout.write(`${report.kills} killed, ${report.stops} stopped, ${report.whole} to the end, ${report.broken.length} broken\n`);
  await postgres?.[Symbol.asyncDispose]();
  process.exitCode = report.broken.length === 0 ? 0 : 1;
}
