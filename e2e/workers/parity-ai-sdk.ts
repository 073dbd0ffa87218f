/** The hosts that run without any of Node's compatibility: the core alone, and the AI SDK. */
import { generateTextAdapter, streamTextAdapter, toolLoopAgentAdapter } from '../parity/hosts/ai-sdk.ts';
import { durableAiSdkHost, durableHost } from '../parity/hosts/durable.ts';
import { hostOf, type ParityHost, plainHost } from '../parity/host.ts';

export const hosts: readonly ParityHost[] = [
  plainHost,
  ...[generateTextAdapter, streamTextAdapter, toolLoopAgentAdapter].map(hostOf),
  durableHost,
  durableAiSdkHost,
];
