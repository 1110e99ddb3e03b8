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

/** An amount of money as texts; null for missing parts. */
interface Money {
  /** Invalid amounts stay unchanged and are rejected as numbers when loaded. */
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Parses a stored amount: `USD;1234.5`, or a plain number in the instance's currency. */
export function readMoney(text: string): Money {
  const [, code, rest] = /^([A-Z]{3})[; ](.*)$/s.exec(text.trim()) ?? [];
  const amount = (code === undefined ? text : (rest ?? '')).trim();
  return { amount: amount === '' ? null : amount, currency: code ?? null };
}

/** Name of the currency column of an amount; undefined if all candidate names are in use. */
export function currencyColumn(amount: string, taken: ReadonlySet<string>): string | undefined {
  return suffixes.map((suffix) => `${amount}${suffix}`).find((name) => !taken.has(name));
}

const suffixes = ['_currency', '_currency_code'];

/** The field of a currency column; undefined for other columns. */
export function amountField({
  name,
  sourceType,
}: {
  readonly name: string;
  readonly sourceType?: string;
}): string | undefined {
  return sourceType === currencyCodeType ? name.replace(/_currency(?:_code)?$/, '') : undefined;
}
