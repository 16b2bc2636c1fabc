// Records with a key more or less. Keys are names from the data: any text, "__proto__" too.

export const withValue = <T>(record: Record<string, T>, key: string, value: T): Record<string, T> => ({ ...record, [key]: value });

export const without = <T>(record: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** The own value of a key; nothing for names that every object has. */
export const valueOf = <T>(record: Record<string, T> | null | undefined, key: string): T | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;
