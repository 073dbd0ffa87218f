import type { AddressInfo } from 'node:net';
import { chatServer } from './chat-server.ts';
import { openShop } from './skills.ts';
import { standInModel } from './stand-in-model.ts';

const key = process.env['AI_GATEWAY_API_KEY'] ?? '';
const server = await chatServer(
  openShop(),
  key === '' ? standInModel() : (process.env['REPERTOIRE_MODEL'] ?? 'anthropic/claude-sonnet-5.5'),
);
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(
    `A chat with skills: http://127.0.0.1:${port}${key === '' ? ' (with a stand-in model; AI_GATEWAY_API_KEY brings a real one)' : ''}\n`,
  );
});
