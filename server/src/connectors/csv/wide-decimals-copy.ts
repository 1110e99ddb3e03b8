import { constants } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { type WideDecimal, plainFooter } from './parquet-footer.ts';

/** Length of the footer, then the mark of a Parquet file. */
const tailLength = 8;

/** The decimals of a Parquet file that have more digits than DuckDB holds. */
export async function wideDecimals(path: string): Promise<readonly WideDecimal[]> {
  const file = await open(path);
  try {
    return plainFooter((await footerOf(file)).bytes).decimals;
  } finally {
    await file.close();
  }
}

/** Writes a copy of a Parquet file in which decimals of more than 38 digits are their bytes. */
export async function writeWithoutWideDecimals(path: string, copy: string): Promise<void> {
  await copyFile(path, copy, constants.COPYFILE_FICLONE);
  const file = await open(copy, 'r+');
  try {
    const { bytes, start, tail } = await footerOf(file);
    const { footer } = plainFooter(bytes);
    tail.writeUInt32LE(footer.length);
    await file.truncate(start);
    const written = Buffer.concat([footer, tail]);
    await file.write(written, 0, written.length, start);
  } finally {
    await file.close();
  }
}

async function footerOf(file: Awaited<ReturnType<typeof open>>) {
  const { size } = await file.stat();
  const tail = Buffer.alloc(tailLength);
  await file.read(tail, 0, tailLength, size - tailLength);
  const bytes = Buffer.alloc(tail.readUInt32LE());
  const start = size - tailLength - bytes.length;
  await file.read(bytes, 0, bytes.length, start);
  return { bytes, start, tail };
}

const chunk = '10000000000000000000::UHUGEINT';
const word = '18446744073709551616::UHUGEINT';

/**
 * SQL of the exact text of a decimal of up to 76 digits by its bytes, a whole number in two's complement: canonical, so
 * without zeros at its ends. Four words of 64 bits become four chunks of 19 digits, the lowest first.
 */
export function decimalOfBytesSql(bytes: string, scale: number): string {
  const isNegative = `hex(${bytes}) >= '8'`;
  const padded = `lpad(hex(${bytes}), 64, CASE WHEN ${isNegative} THEN 'F' ELSE '0' END)`;
  // The complement is one less than the absolute value.
  const magnitude = `CASE WHEN ${isNegative} THEN translate(${padded}, '0123456789ABCDEF', 'FEDCBA9876543210') ELSE ${padded} END`;
  const words = [0, 1, 2, 3].map((index) => {
    const value = `CAST(CAST('0x' || substr(h, ${index * 16 + 1}, 16) AS UBIGINT) AS UHUGEINT)`;
    return index < 3 ? `[${value}]` : `[${value} + CAST(${isNegative} AS INTEGER)::UHUGEINT]`;
  });
  const chunks = [`a[1] * ${word} + w[1]`];
  for (const index of [2, 3, 4]) chunks.push(`a[${index}] * ${word} + (${chunks[index - 2] ?? ''}) // ${chunk}`);
  const zeros = Array.from({ length: 4 }, () => '0::UHUGEINT').join(', ');
  const sum = `list_reduce([${words.join(', ')}], lambda a, w: [${chunks.map((each) => `(${each}) % ${chunk}`).join(', ')}], [${zeros}])`;
  const digits = [4, 3, 2, 1].map((index) => `lpad(CAST(c[${index}] AS VARCHAR), 19, '0')`).join(' || ');
  const whole = `coalesce(nullif(ltrim(substr(d, 1, ${76 - scale}), '0'), ''), '0')`;
  const fraction = `rtrim(substr(d, ${77 - scale}), '0')`;
  const text = `concat(CASE WHEN ${isNegative} THEN '-' ELSE '' END, ${whole}, CASE WHEN ${fraction} <> '' THEN '.' || ${fraction} ELSE '' END)`;
  const named = (value: string, name: string, result: string): string =>
    `list_transform([${value}], lambda ${name}: ${result})[1]`;
  return `CASE WHEN ${bytes} IS NOT NULL THEN ${named(magnitude, 'h', named(sum, 'c', named(digits, 'd', text)))} END`;
}
