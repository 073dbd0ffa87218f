import type { AgentHost } from '@repertoire/declarative/node';
import { getWeather } from './get-weather.ts';

/**
 * The host module for `repertoire agent check|run --host src/host.ts`. The models come from the
 * environment: OPENAI_API_KEY.
 */
const host: AgentHost = { tools: [getWeather], trusted: true };
export default host;
