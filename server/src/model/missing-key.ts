/** Texts that stand for a missing key, in lower case without blanks around them: a regular expression of JavaScript and of RE2. */
export const missingKeyPattern = String.raw`^(n/?a|none|null|nil|nan|unknown|unassigned|undefined|missing|dummy|test|tbd|other|various|not set|not assigned|no number|ohne|keine|\(?blank\)?|[-?.#*_x]+|0+|9{3,}|)$`;

const missingKey = new RegExp(missingKeyPattern, 'u');

/** Whether a text stands for a missing key, such as `N/A` or `unknown`. */
export function isMissingKey(text: string): boolean {
  return missingKey.test(text.trim().toLowerCase());
}
