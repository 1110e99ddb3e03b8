/** A line of a comparison of two texts. */
export interface LineChange {
  /** `lost` is only in the first text, `restored` only in the second; `gap` stands for equal lines that are left out. */
  readonly kind: 'same' | 'lost' | 'restored' | 'gap';
  /** The line; for a gap empty. */
  readonly text: string;
}
