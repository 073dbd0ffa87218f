/** What the AI SDK expects and Temporal's sandbox has not. Import it first. */
import 'web-streams-polyfill/polyfill';
import { Headers } from 'headers-polyfill';

globalThis.Headers ??= Headers;
globalThis.structuredClone ??= (value) => JSON.parse(JSON.stringify(value));
