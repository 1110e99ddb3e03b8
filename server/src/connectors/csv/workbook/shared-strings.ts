import { createTextCollector } from './text-collector.ts';
import { readXml } from './read-xml.ts';

/** Maximum number of characters of all shared texts, which are kept in memory while sheets are read. */
const maxCharacters = 256 * 1024 ** 2;

/** The texts that cells name by their number. Rejects for more than 256 million characters. */
export async function readSharedStrings(
  bytes: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
  limit = maxCharacters,
): Promise<readonly string[]> {
  const texts: string[] = [];
  const collector = createTextCollector();
  let characters = 0;
  await readXml(
    bytes,
    {
      open: (name) => collector.open(name),
      text: (text) => collector.text(text),
      close(name) {
        collector.close(name);
        if (name !== 'si') return;
        const text = collector.take();
        characters += text.length;
        if (characters > limit) {
          throw new Error(`its texts have more than ${limit} characters together; save the sheet as CSV`);
        }
        texts.push(text);
      },
    },
    signal,
  );
  return texts;
}
