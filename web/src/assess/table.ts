// Lists of any kind: columns, sorting, searching.

export interface Column<Row> {
  id: string;
  label: string;
  /** What the column is sorted by; absent values come last either way. */
  value: (row: Row) => string | number | null;
  /** Whether the first press sorts the greatest first. */
  descending?: boolean;
  numeric?: boolean;
  /** Whether a narrow screen leaves the column out. */
  wide?: boolean;
  /** What the column says, where its label is too short. */
  hint?: string;
}

export interface Order {
  id: string;
  descending: boolean;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** The rows in the order of a column; rows of equal value keep their order. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | null): Row[] {
  const column = order && columns.find(({ id }) => id === order.id);
  if (!order || !column) return [...rows];
  const sign = order.descending ? -1 : 1;
  return [...rows].sort((one, two) => {
    const [a, b] = [column.value(one), column.value(two)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * collator.compare(String(a), String(b));
  });
}

/** The rows whose text contains every word of a search. */
export function found<Row>(rows: readonly Row[], text: (row: Row) => string, search: string): readonly Row[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const where = folded(text(row));
    return words.every((word) => where.includes(word));
  });
}

/** In lower case and without accents. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
