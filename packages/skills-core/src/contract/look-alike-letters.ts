// Written by tools/look-alikes.ts from the table of Unicode TS 39. Change that program, and not
// this file.

/** Small letters of Cyrillic, Greek and Armenian that look like a Latin one. */
export const lookAlikeLetters: string = 'αаҍѣсҫԁеҽҿքցһհꚕћιіꙇӏϳјηոռσοоօөѳθρрԛգզᴦгғѕυսνѵѡԝաѽхγуүұ';

/** The Latin letters that they look like, in the same order. */
export const latinLetters: string = 'aabbccdeeefghhhhiiiijjnnnoooooooppqqqrrrsuuvvwwwwxyyyy';
