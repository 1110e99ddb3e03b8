/** A change that cannot be written into the text around it; caught where edits are put together. */
export class Unwritable extends Error {}
