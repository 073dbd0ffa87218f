import { playAgents } from './agent-program.mjs';
import { onTemporal } from './on-temporal.mjs';
import { playParity } from './parity-program.mjs';

const inBoth = process.argv.includes('all');
await onTemporal('agent-workflows.mjs', async (temporal) => ({
  agents: await playAgents(temporal, inBoth),
  parity: await playParity(temporal, inBoth),
}));
