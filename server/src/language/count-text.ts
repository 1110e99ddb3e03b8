/** A number with its noun, such as `1,200 entities`. */
export function countText(number: number, one: string, several: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`;
}

/** The number of imported entities as text. */
export function entitiesText(entities: number): string {
  return countText(entities, 'entity', 'entities');
}
