import { openShop } from './shop-chat.ts';

/** What a racer does, on its parent's word. */
export interface RaceTask {
  readonly id: string;
  /** The body of a request; `stop` stops the answer. */
  readonly body: unknown;
}

const [place = ''] = process.argv.slice(2);
const shop = await openShop({ place, leaseMs: 5000 });
process.on('message', (task: RaceTask) => void race(task));

async function race({ id, body }: RaceTask): Promise<void> {
  try {
    if (body === 'stop') await shop.stop(id);
    else {
      const response = await shop.send(id, body);
      await response.text();
      process.send?.({ status: response.status });
      return;
    }
    process.send?.({ status: 204 });
  } catch (error) {
    process.send?.({ status: 0, error: String(error) });
  }
}

process.send?.({ status: 0 });
