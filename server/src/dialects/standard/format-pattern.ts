/**
 * A regular expression of the texts of a format of strptime, with a group for each part. Years begin with 1 or 2: `00000000` is
 * no date.
 */
export function formatPattern(format: string): string {
  const hasSigns = /[.:/-]/.test(format);
  const two = hasSigns ? '[0-9]{1,2}' : '[0-9]{2}';
  const parts: Readonly<Record<string, string>> = {
    '%Y': '([12][0-9]{3})',
    '%m': hasSigns ? '(0?[1-9]|1[0-2])' : '(0[1-9]|1[0-2])',
    '%d': hasSigns ? '(0?[1-9]|[12][0-9]|3[01])' : '(0[1-9]|[12][0-9]|3[01])',
    '%H': '([01]?[0-9]|2[0-3])',
    '%M': `(${two})`,
    '%S': `(${two})`,
  };
  return `^${format.replaceAll(/%[YmdHMS]|\./g, (part) => parts[part] ?? '[.]')}$`;
}
