// Written by tools/look-alikes.ts from Unicode TS 39: change that program instead.

/** Small letters of Cyrillic, Greek and Armenian that look like a Latin one. */
export const lookAlikeLetters: string = 'αаҍѣсҫԁеҽҿքցһհꚕћιіꙇӏϳјηոռσοоօөѳθρрԛգզᴦгғѕυսνѵѡԝաѽхγуүұ';

/** The Latin letters that they look like, in the same order. */
export const latinLetters: string = 'aabbccdeeefghhhhiiiijjnnnoooooooppqqqrrrsuuvvwwwwxyyyy';
