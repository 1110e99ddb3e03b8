/** Texts that stand for a missing key, in lower case without blanks around them: a regular expression of JavaScript and of RE2. */
export const missingKeyPattern = String.raw`^(n/?a|none|null|nil|nan|unknown|unassigned|undefined|missing|dummy|test|tbd|other|various|not set|not assigned|no number|ohne|keine|\(?blank\)?|[-?.#*_x]+|0+|9{3,}|)$`;

const missingKey = new RegExp(missingKeyPattern, 'u');

/** How many times as many events as 99 % of the others a placeholder has at least, and how many in all. */
export const placeholderFactor = 3;
export const leastPlaceholderEvents = 10;

/** Whether a text stands for a missing key, such as `N/A` or `unknown`. */
export function isMissingKey(text: string): boolean {
  return missingKey.test(text.trim().toLowerCase());
}
