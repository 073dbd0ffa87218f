/** What the AI SDK expects and Temporal's sandbox has not. Import it first. */
// oxlint-disable-next-line import/no-unassigned-import
import 'web-streams-polyfill/polyfill';
import { Headers } from 'headers-polyfill';

globalThis.Headers ??= Headers;
globalThis.structuredClone ??= (value) => JSON.parse(JSON.stringify(value));
