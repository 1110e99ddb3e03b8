/**
 * Currency types of the platform. Instances compare them in their own currency at changing rates, so filters on them
 * are not sent.
 */
export const moneyTypes: ReadonlySet<string> = new Set(['currency', 'price', 'currency2']);

/** `sourceType` of the currency column of an amount, which is derived from the amount's field. */
export const currencyCodeType = 'currency code';

/** Whether a column is the number or the currency of an amount. */
export function isOfMoney({ sourceType = '' }: { readonly sourceType?: string }): boolean {
  return moneyTypes.has(sourceType) || sourceType === currencyCodeType;
}
