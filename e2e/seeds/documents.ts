import { cardSystem } from './items/s0.ts';
import { workspaces } from './items/s1.ts';
import { library } from './items/s2.ts';
import { disclosure } from './items/s3.ts';
import { activation } from './items/s4.ts';
import type { SeedDocument } from './seed-item.ts';

/** The documents that the project started from. */
export const seedDocuments: readonly SeedDocument[] = [cardSystem, workspaces, library, disclosure, activation];
