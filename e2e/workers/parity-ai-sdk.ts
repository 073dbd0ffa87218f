/** The hosts that run without any of Node's compatibility: the core alone, and the AI SDK. */
import { generateTextHost, streamTextHost, toolLoopAgentHost } from '../parity/hosts/ai-sdk.ts';
import { durableAiSdkHost, durableHost } from '../parity/hosts/durable.ts';
import { plainHost } from '../parity/hosts/plain.ts';
import type { ParityHost } from '../parity/record.ts';

export const hosts: readonly ParityHost[] = [plainHost, generateTextHost, streamTextHost, toolLoopAgentHost, durableHost, durableAiSdkHost];
