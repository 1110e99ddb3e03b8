import type { Literals } from '../dialect.ts';
import { singleQuoted } from '../standard/quoting.ts';

export const duckdbLiterals: Literals = { quote: singleQuoted, text: singleQuoted };
