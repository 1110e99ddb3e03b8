import type { DraftColumnChoice } from '../operations/graph-files/draft-column-choices.ts';
import { choosableRoles } from '../operations/graph-files/draft-column-choices.ts';
import { type Invocation, type OptionSpec, UsageError } from './command.ts';

export const chooseOption: OptionSpec = {
  name: 'choose',
  value: 'ROLE=COLUMN,…',
  help: `Columns for roles (${choosableRoles.join(', ')}), for scripts: time=placed or orders:key=id+line; nothing else is asked`,
};

/** The value of `--choose`: `[DATA OBJECT:]ROLE=COLUMN[+COLUMN…]`, separated by commas. Throws `UsageError`. */
export function readChoices({ options }: Invocation): readonly DraftColumnChoice[] | undefined {
  return options['choose']?.split(',').map((text) => {
    const [, dataObject, name, list = ''] = /^(?:(.+):)?\s*(\w+)=(.+)$/.exec(text.trim()) ?? [];
    const role = choosableRoles.find((each) => each === name);
    const columns = list.split('+').map((column) => column.trim());
    if (!role || columns.includes('') || (role !== 'key' && columns.length > 1)) {
      const roles = choosableRoles.join(', ');
      throw new UsageError(
        `--choose takes ROLE=COLUMN, such as time=placed or orders:key=id+line, not "${text}". Roles are ${roles}.`,
      );
    }
    return { role, columns, ...(dataObject !== undefined && { dataObject: dataObject.trim() }) };
  });
}
