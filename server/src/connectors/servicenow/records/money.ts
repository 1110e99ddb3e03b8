import { currencyCodeType } from '../../../query/servicenow-money.ts';

/** An amount of money, each part a text; null for one that is not there. */
export interface Money {
  /** What is no amount stays as it came: it is refused as no number where it is taken in. */
  readonly amount: string | null;
  readonly currency: string | null;
}

/** Reads an amount as instances store it: `USD;1234.5`, or a bare number, which is one of the instance's own currency. */
export function readMoney(text: string): Money {
  const [, code, rest] = /^([A-Z]{3})[; ](.*)$/s.exec(text.trim()) ?? [];
  const amount = (code === undefined ? text : (rest ?? '')).trim();
  return { amount: amount === '' ? null : amount, currency: code ?? null };
}

/** The name of the column with the currency of an amount; undefined where the table has columns of all such names. */
export function currencyColumn(amount: string, taken: ReadonlySet<string>): string | undefined {
  return suffixes.map((suffix) => `${amount}${suffix}`).find((name) => !taken.has(name));
}

const suffixes = ['_currency', '_currency_code'];

/** The field that a column with a currency is a part of; undefined for other columns. */
export function amountField({
  name,
  sourceType,
}: {
  readonly name: string;
  readonly sourceType?: string;
}): string | undefined {
  return sourceType === currencyCodeType ? name.replace(/_currency(?:_code)?$/, '') : undefined;
}
