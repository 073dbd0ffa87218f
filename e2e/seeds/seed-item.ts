/** One thing that a document describes, and how it stands here. Without a note, a test with its id in the title shows that it works. */
export interface SeedItem {
  /** Number of the item in its document; `S0-13` is item 13 of the first. */
  readonly number: number;
  /** What is described, in our words. */
  readonly what: string;
  /** It is done in another way, because of this. A test shows it. */
  readonly different?: string;
  /** This part of it is missing. A test shows the rest. */
  readonly part?: string;
  /** It is missing, and this is why or what to do instead. */
  readonly missing?: string;
  /** It belongs to this feature, which has its own tests. */
  readonly elsewhere?: string;
  /** A test elsewhere in the repository that shows it: the message of an assertion there has its id. */
  readonly shownBy?: string;
  /** The page that it is: for what is advice, and no behavior. From `docs/`. */
  readonly page?: string;
}

/** A name of another system, and ours. */
export interface SeedName {
  readonly theirs: string;
  readonly ours: string;
}

/** One of the documents. */
export interface SeedDocument {
  /** `S0` … `S4`. */
  readonly id: string;
  /** What it describes. */
  readonly title: string;
  readonly items: readonly SeedItem[];
  readonly names: readonly SeedName[];
}
