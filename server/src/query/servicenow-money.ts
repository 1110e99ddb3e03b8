/**
 * Types of the platform for amounts of money. Instances compare them in a currency of their own, at rates that change, so that no
 * filter by them is sent.
 */
export const moneyTypes: ReadonlySet<string> = new Set(['currency', 'price', 'currency2']);

/** `sourceType` of a column with the currency of an amount: no field of the platform, but a part of one. */
export const currencyCodeType = 'currency code';

/** Whether a column has a part of an amount of money: the number, or its currency. */
export function isOfMoney({ sourceType = '' }: { readonly sourceType?: string }): boolean {
  return moneyTypes.has(sourceType) || sourceType === currencyCodeType;
}
