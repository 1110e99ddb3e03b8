/** Thrown for a change that cannot be written; caught where edits are created. */
export class Unwritable extends Error {}
