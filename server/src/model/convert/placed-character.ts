/** One UTF-16 unit of a scalar's value with the place that it comes from. */
export interface PlacedCharacter {
  readonly character: string;
  readonly offset: number;
}
