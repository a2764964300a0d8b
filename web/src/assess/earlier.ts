// The assessments that were started in this browser, by name, so that a list of jobs can say what they are about.

export interface Earlier {
  id: string;
  name: string;
  /** When it was started, as an ISO date. */
  when: string;
}

const KEY = 'errare.assessments';
const MOST = 20;

export function earlier(): Earlier[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(list) ? list.filter(isEarlier) : [];
  } catch {
    return [];
  }
}

function isEarlier(value: unknown): value is Earlier {
  if (value === null || typeof value !== 'object') return false;
  const { id, name, when } = value as Partial<Earlier>;
  return typeof id === 'string' && typeof name === 'string' && typeof when === 'string';
}

function keep(list: Earlier[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, MOST)));
  } catch {
    // A browser that keeps nothing still assesses.
  }
}

export function remember(id: string, name: string): void {
  keep([{ id, name, when: new Date().toISOString() }, ...earlier().filter((one) => one.id !== id)]);
}

export function forget(id: string): void {
  keep(earlier().filter((one) => one.id !== id));
}

export function nameOf(id: string): string | null {
  return earlier().find((one) => one.id === id)?.name ?? null;
}
