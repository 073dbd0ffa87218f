/** One thing that a document describes, and how it stands here. Without a note, a test with its id in the title shows that it works. */
export interface SeedItem {
  /** Number of the item in its document; `S0-13` is item 13 of the first. */
  readonly number: number;
  /** What is described, in our words. */
  readonly what: string;
  /** A test elsewhere in the repository that shows it: the message of an assertion there has its id. */
  readonly shownBy?: string;
  /** The page that it is: for what is advice, and no behavior. From `docs/`. */
  readonly page?: string;
}

/** One of the documents. */
export interface SeedDocument {
  /** `S0` … `S4`. */
  readonly id: string;
  /** The system, as its users call it. */
  readonly system: string;
  /** What it describes. */
  readonly title: string;
  /** The page that teaches all of it, from `docs/`. */
  readonly guide: string;
  readonly items: readonly SeedItem[];
}
