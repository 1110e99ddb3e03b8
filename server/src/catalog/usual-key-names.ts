/** Column names of generated keys in common products, the most likely first: guesses, wherever the table comes from. */
export const generatedKeyNames = ['id', 'sys_id', 'key'] as const;

export function isUsualKeyName(name: string): boolean {
  return [...generatedKeyNames, 'number'].includes(name.toLowerCase());
}
