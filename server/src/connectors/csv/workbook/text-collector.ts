import { unescapeText } from './text-escapes.ts';

/** Collects the text of a string item: that of its runs, without phonetic ones. */
interface TextCollector {
  open(name: string): void;
  text(text: string): void;
  close(name: string): void;
  /** The text so far, and begins the next one. */
  take(): string;
}

export function createTextCollector(): TextCollector {
  let collected = '';
  let isText = false;
  let phonetic = 0;
  return {
    open(name) {
      if (name === 'rPh') phonetic += 1;
      isText = name === 't' && phonetic === 0;
    },
    text(text) {
      if (isText) collected += text;
    },
    close(name) {
      if (name === 'rPh') phonetic -= 1;
      isText = false;
    },
    take() {
      const text = unescapeText(collected);
      collected = '';
      return text;
    },
  };
}
