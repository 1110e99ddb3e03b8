/** Whether a date is no date: `0000-00-00`, or one with month or day 0. */
export function isZeroDate(text: string): boolean {
  return text.startsWith('0000') || text.startsWith('-00', 4) || text.startsWith('-00', 7);
}
