/** Shows that the sources which are checked with this file know nothing of Node, also where a library of one of them would bring its types along. */
// @ts-expect-error no such name
export type NodeProcess = typeof process;
