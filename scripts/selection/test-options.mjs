/**
 * The arguments of `npm test`: names of parts, `--record`, and `--changed [BASE]`, whose base is not the name of a
 * part, with `--every-caller`.
 * @param {readonly string[]} args
 * @param {readonly string[]} parts the names of all parts
 * @returns {{ named: readonly string[], records: boolean, changed?: { base?: string, everyCaller: boolean } }}
 */
export function testOptions(args, parts) {
  const named = [];
  let records = false;
  let changed;
  for (const [index, arg] of args.entries()) {
    if (arg === '--record') records = true;
    else if (arg === '--changed') changed = { everyCaller: args.includes('--every-caller') };
    else if (arg === '--every-caller' && args.includes('--changed')) continue;
    else if (arg.startsWith('--'))
      throw new Error(`There is no option "${arg}": use --changed [BASE] [--every-caller] or --record.`);
    else if (args[index - 1] === '--changed' && !parts.includes(arg)) changed.base = arg;
    else named.push(arg);
  }
  return { named, records, changed };
}
