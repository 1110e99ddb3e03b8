/**
 * A tool of others, a registry or the time for a download that a set-up needs is not there, which is not a defect of this project:
 * a test part that nobody named is then left out. Any other error fails it.
 */
export class ToolUnavailable extends Error {}
