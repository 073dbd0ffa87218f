// Anything added here is public API.
export { wasmRunner, type WasmRunnerOptions } from './wasm/wasm-runner.ts';
