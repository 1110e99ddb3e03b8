import { nameWords, suggests, tableWords } from './name-words.ts';

/** Names that are given once each. */
export interface UniqueNames {
  /** The first of the wishes that is free, else the last with a number. */
  take(...wishes: readonly string[]): string;
}

export function uniqueNames(): UniqueNames {
  const taken = new Set<string>();
  const free = (name: string): boolean => !taken.has(name);
  return {
    take(...wishes) {
      const last = wishes.at(-1) ?? '';
      let name = wishes.find(free);
      for (let number = 2; name === undefined; number++) name = [`${last} ${number}`].find(free);
      taken.add(name);
      return name;
    },
  };
}

/** Names the activity of a column of times by verb and subject: `placed_at` of `orders` is `Place Order`. */
export function activityName(table: string, timeColumn: string): string {
  const verb = nameWords(timeColumn).flatMap((word) => verbs[word] ?? [])[0] ?? 'Record';
  return `${verb} ${titled(tableWords(table))}`;
}

/** The subject of a log by its name, such as `incident` of `incident_event_log`. */
export function subjectOfLog(table: string): string {
  const words = tableWords(table).filter((word) => !suggests(word, 'log') && !/\d/.test(word));
  return words.join(' ');
}

export function titled(words: readonly string[]): string {
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ');
}

const verbs: Readonly<Record<string, string>> = {
  ...verb('Create', 'create', 'created', 'creation', 'erstellt', 'angelegt'),
  ...verb('Open', 'open', 'opened'),
  ...verb('Start', 'start', 'started', 'begin', 'began'),
  ...verb('Place', 'placed'),
  ...verb('Register', 'register', 'registered', 'registration', 'erfasst'),
  ...verb('Report', 'report', 'reported'),
  ...verb('Submit', 'submit', 'submitted'),
  ...verb('Receive', 'received'),
  ...verb('Request', 'requested'),
  ...verb('Book', 'booked'),
  ...verb('Issue', 'issued'),
  ...verb('Hire', 'hire', 'hired'),
  ...verb('Install', 'install', 'installed', 'installation'),
  ...verb('Assess', 'assessed'),
  ...verb('Approve', 'approved', 'approval'),
  ...verb('Reject', 'rejected'),
  ...verb('Confirm', 'confirmed'),
  ...verb('Ship', 'ship', 'shipped'),
  ...verb('Deliver', 'deliver', 'delivered'),
  ...verb('Return', 'return', 'returned'),
  ...verb('Bill', 'billed', 'invoiced'),
  ...verb('Pay', 'paid'),
  ...verb('Resolve', 'resolve', 'resolved'),
  ...verb('Close', 'close', 'closed'),
  ...verb('Complete', 'complete', 'completed'),
  ...verb('Finish', 'finish', 'finished'),
  ...verb('End', 'end', 'ended'),
  ...verb('Cancel', 'cancelled', 'canceled'),
};

function verb(name: string, ...words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word, name]));
}
