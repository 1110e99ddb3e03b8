import { stringify } from 'yaml';
import { writtenSchema } from '../written-yaml.ts';
import { editText } from './edit-text.ts';
import { type JsonObject, isJsonObject } from './json-value.ts';
import { type EditOutcome, verifyEdits } from './verified-edits.ts';

/**
 * Adds a data source to the text of a sources file with minimal changes; an empty text becomes a complete file. Rejects
 * an existing name.
 */
export function addDataSource(text: string, name: string, settings: JsonObject): EditOutcome {
  if (text.trim() === '') {
    const whole = { version: 1, dataSources: { [name]: settings } };
    const edit = { range: { start: 0, end: text.length }, newText: stringify(whole, writtenSchema) };
    return verifyEdits({ text }, [edit], [{ kind: 'set', path: [], value: whole }]);
  }
  return editText({ text }, (file) => {
    const sources = file['dataSources'] ?? {};
    if (!isJsonObject(sources))
      return { refusal: 'dataSources is not a mapping of names to settings. Correct it first.' };
    if (name in sources) return { refusal: `There is a data source named ${name} already. Choose another name.` };
    return { ...file, dataSources: { ...sources, [name]: settings } };
  });
}
