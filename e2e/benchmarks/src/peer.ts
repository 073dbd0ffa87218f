/** A library that reads folders of skills, as this benchmark calls it. `peers/<name>/peer.ts` has one for each contender. */
export interface Peer {
  /** Lists a folder with a new instance, which has seen nothing yet. */
  open(folder: string): Promise<Library>;
  /** Imports what a search needs beside, where it is a package of its own. */
  readonly importSearch?: () => Promise<void>;
  /** Prepares the search of the library over a folder, and finds the names of skills for a request, the best first. */
  readonly openSearch?: (folder: string) => Promise<(request: string, limit: number) => Promise<readonly string[]>>;
}

/** A folder that was listed. What the library cannot do is left out. */
export interface Library {
  /** How many skills it found. */
  readonly skills: number;
  /** Lists again, as the next turn of a conversation would. */
  readonly listAgain?: () => Promise<unknown>;
  /** The text about all skills that a model reads before it chooses one. */
  catalog(): Promise<string>;
  /** What a model reads when it loads a skill. */
  readonly load?: (name: string) => Promise<string>;
  /** What a model reads when it opens another file of a skill. */
  readonly read?: (name: string, file: string) => Promise<string>;
}

/** What `peer.ts` of a contender exports. */
export interface PeerModule {
  /** Imports the packages of the contender, which is what the row `import` times. */
  importPeer(): Promise<Peer>;
}

/** Tool calls of peers want a context that this benchmark has no other use for. */
export const toolCall = { toolCallId: '1', messages: [] } as const;
