import { serve } from './serve-chat.ts';
import { openShop } from './shop-chat.ts';
import type { Visit } from './shop-visit.ts';

/** A server of the shop that is lost at a point of its work, or stops its answer there. */
const { place, id, at, how, leaseMs } = JSON.parse(process.argv[2] ?? '') as Omit<Visit, 'script'>;
let count = 0;
let isOn = true;
const shop = await openShop({ place, leaseMs }, async () => {
  await new Promise((resolve) => setImmediate(resolve));
  if (!isOn || ++count !== at) return;
  if (how === 'kill') process.kill(process.pid, 'SIGKILL');
  isOn = false;
  await shop.stop(id);
});
const { port } = await serve((request) => shop.chat.handle(request));
process.send?.({ port });
process.on('message', () => process.send?.({ count }));
