/** Whether a decimal number, as it is written, has the value of the shortest text of the double that is nearest to it. */
export function survivesAsDouble(text: string): boolean {
  const shortest = String(Number(text));
  return shortest === text || canonicalDecimal(shortest) === canonicalDecimal(text);
}

/** Digits without zeros at both ends, and the power of ten of the last one: equal for texts of one value. */
export function canonicalDecimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return /\d/.test(text) ? '0' : text;
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}
