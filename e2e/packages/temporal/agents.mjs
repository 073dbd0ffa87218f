import { playAgents } from './agent-program.mjs';
import { onTemporal } from './on-temporal.mjs';
import { playParity } from './parity-program.mjs';

await onTemporal('agent-workflows.mjs', async (temporal) => ({ agents: await playAgents(temporal), parity: await playParity(temporal) }));
