// What is wrong with the text of a FEN, in words. Whether the position can arise and has tables is for the server to say.

/** A sentence on the first thing that is wrong, or null. */
export function fenFault(text: string): string | null {
  const fields = text.trim().split(/\s+/);
  const [placement = '', side, castling = '-', enPassant = '-'] = fields;
  if (placement === '') return 'Paste a position as a FEN, such as 8/8/8/8/2r5/8/2k5/K6Q w - - 0 1.';
  if (fields.length > 6) return `A FEN has six parts, this has ${fields.length}.`;
  const rows = placement.split('/');
  if (rows.length !== 8) return `The board of a FEN has eight rows divided by slashes, this has ${rows.length}.`;
  for (const [index, row] of rows.entries()) {
    const strange = /[^1-8pnbrqkPNBRQK]/.exec(row);
    if (strange) return `Row ${8 - index} has the sign “${strange[0]}”, which is no man and no number of empty squares.`;
    const width = [...row].reduce((sum, sign) => sum + (Number(sign) || 1), 0);
    if (width !== 8) return `Row ${8 - index} (“${row}”) describes ${width} squares instead of eight.`;
    if ((index === 0 || index === 7) && /p/i.test(row)) return 'There is a pawn on the first or last row.';
  }
  for (const [king, name] of [['K', 'White'], ['k', 'Black']] as const) {
    const kings = placement.split(king).length - 1;
    if (kings !== 1) return `${name} needs one king, and has ${kings === 0 ? 'none' : kings}.`;
  }
  if (side === undefined) return 'Add whose turn it is: w for White or b for Black after the board.';
  if (side !== 'w' && side !== 'b') return `After the board comes w or b for the side to move, not “${side}”.`;
  if (!/^(-|[KQkq]{1,4})$/.test(castling)) return `The castling rights “${castling}” are not KQkq or “-”.`;
  if (!/^(-|[a-h][36])$/.test(enPassant)) return `The en passant square “${enPassant}” is not a square such as e3 or “-”.`;
  return null;
}

/** The FEN with the parts that were left out. */
export function completedFen(text: string): string {
  const [placement = '', side = 'w', castling = '-', enPassant = '-', half = '0', full = '1'] = text.trim().split(/\s+/);
  return [placement, side, castling, enPassant, half, full].join(' ');
}
