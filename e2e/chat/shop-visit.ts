import { answered, openShop, said, type Shop } from './shop-chat.ts';

/** What a process is told that is to be lost. */
export interface Visit {
  readonly place: string;
  readonly id: string;
  readonly script: keyof typeof scripts;
  /** At which point it is killed, or stopped, counted from 1. */
  readonly at: number;
  readonly how: 'kill' | 'stop';
  readonly leaseMs: number;
}

const order = (id: string, name: string): string => JSON.stringify({ order: `${id}-${name}` });

/** What a person does. Each has other calls, answers and moments. */
export const scripts = {
  /** A load, a refund that is asked about, and a yes. */
  async refund(shop: Shop, id: string): Promise<void> {
    await say(shop, id, `load_skill {"name":"refunds"}\nrefund ${order(id, 'A')}`, 'first');
    await answer(shop, id, true);
    await say(shop, id, 'thanks', 'second');
  },
  /** Calls with effects that nobody is asked about, two of them at once. */
  async notes(shop: Shop, id: string): Promise<void> {
    await say(shop, id, `note ${order(id, 'A')} ;; note ${order(id, 'B')}\nnote ${order(id, 'C')}`, 'first');
    await say(shop, id, `note ${order(id, 'D')}`, 'second');
  },
  /** Two calls that are answered one after the other, beside one that runs. */
  async both(shop: Shop, id: string): Promise<void> {
    await say(
      shop,
      id,
      `load_skill {"name":"refunds"}\nnote ${order(id, 'N')} ;; refund ${order(id, 'A')} ;; refund ${order(id, 'B')}`,
      'first',
    );
    await answer(shop, id, true, 'A');
    await answer(shop, id, true, 'B');
  },
  /** A no, something else while a call waits, and a yes at last. */
  async mind(shop: Shop, id: string): Promise<void> {
    await say(shop, id, `load_skill {"name":"refunds"}\nrefund ${order(id, 'A')}`, 'first');
    await answer(shop, id, false);
    await say(shop, id, `refund ${order(id, 'B')}`, 'second');
    await say(shop, id, `note ${order(id, 'N')}\nrefund ${order(id, 'C')}`, 'third');
    await answer(shop, id, true);
  },
};

async function say(shop: Shop, id: string, text: string, name: string): Promise<void> {
  await post(shop, id, { message: said(text, `${id}-${name}`) });
}

/** As a page does it: it asks again where the server says so, as a short lease ends early on a machine with other work. */
async function post(shop: Shop, id: string, body: unknown): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const response = await shop.send(id, body);
    await response.text();
    if (response.headers.get('retry-after') === null) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

async function answer(shop: Shop, id: string, approved: boolean, name = ''): Promise<void> {
  const last = (await shop.messages(id)).at(-1);
  if (last === undefined) throw new Error('There is no message.');
  await post(shop, id, { message: answered(last, approved, (given) => given.endsWith(name)) });
}

/** Runs a visit. A process that is killed does not come back from here. */
async function runVisit({ place, id, script, at, how, leaseMs }: Visit): Promise<number> {
  let count = 0;
  let isOn = true;
  const shop = await openShop({ place, leaseMs }, async () => {
    // Something else comes between, as on a machine with other work.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isOn || ++count !== at) return;
    if (how === 'kill') process.kill(process.pid, 'SIGKILL');
    isOn = false;
    await shop.stop(id);
  });
  await scripts[script](shop, id);
  await shop.close();
  return count;
}

const [given] = process.argv.slice(2);
if (import.meta.url === `file://${process.argv[1]}` && given !== undefined) {
  const count = await runVisit(JSON.parse(given) as Visit);
  process.stdout.write(String(count));
}
