/** A share as a percentage with a digit: `7.9 %`. Rounding never turns it into 0 % or 100 %. */
export function percentText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `< ${(0.1).toLocaleString()} %`;
  const shown = percent >= 100 ? percent : Math.min(99.9, Math.round(percent * 10) / 10);
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}

/** A difference of shares in percentage points with a sign: `+12.3`. */
export function pointsText(difference: number): string {
  const points = Math.round(difference * 1000) / 10;
  const shown = Math.abs(points).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return points === 0 ? shown : `${points > 0 ? '+' : '−'}${shown}`;
}
