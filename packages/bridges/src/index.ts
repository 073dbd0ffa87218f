// Anything added here is public API: what the entry points of all frameworks share.
export type { BridgeOptions } from './view/bridge-options.ts';
