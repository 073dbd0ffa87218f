// Anything added here is public API: what the entry points of all frameworks share.
export type { BridgeOptions, BridgeSource } from './view/bridge-options.ts';
export { bridgeDiagnosticCodes } from './view/diagnostic-codes.ts';
