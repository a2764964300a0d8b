// Games as people bring them: dropped files, chosen files, pasted text.

/** The most bytes of games that can be sent: the server takes 64 MiB with the request around them. */
export const MOST_BYTES = 60 * 1024 * 1024;

export interface Input {
  /** The name of the file, or what stands for it. */
  name: string;
  text: string;
}

/** Why a file cannot be assessed, as a sentence. */
export class Unreadable extends Error {}

/** The text of files, one after the other. */
export async function readFiles(files: readonly File[]): Promise<Input> {
  const [first] = files;
  if (!first) throw new Unreadable('There was no file in what was dropped here.');
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MOST_BYTES) throw tooLarge(files.length === 1 ? first.name : 'All of it', size);
  const texts: string[] = [];
  for (const file of files) texts.push(await readFile(file));
  const name = files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`;
  return checked({ name, text: texts.join('\n\n') });
}

/** Pasted text. */
export function readText(text: string): Input {
  if (text.trim() === '') throw new Unreadable('There is nothing to assess yet: paste games in PGN, or choose a file.');
  return checked({ name: 'Pasted games', text });
}

function checked(input: Input): Input {
  // As the request will be: line ends and quotation marks take two bytes.
  const bytes = new Blob([JSON.stringify(input.text)]).size;
  if (bytes > MOST_BYTES) throw tooLarge(input.name, bytes);
  return input;
}

function tooLarge(name: string, bytes: number): Unreadable {
  const size = `${Math.round(bytes / 1e6)} MB`;
  return new Unreadable(
    `${name} has ${size}. The page takes up to ${Math.floor(MOST_BYTES / 1e6)} MB at once: divide it, or use the command line, which takes files of any size (errare assess ${name.endsWith('.pgn') ? name : 'games.pgn'}).`,
  );
}

async function readFile(file: File): Promise<string> {
  if (file.size === 0) throw new Unreadable(`${file.name} is empty.`);
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Unreadable(`${file.name} cannot be read. It may have been moved or changed.`);
  }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await unpacked(file);
  const packing = otherPacking(bytes);
  if (packing) throw new Unreadable(`${file.name} is a ${packing} file. Unpack it first.`);
  const text = decoded(bytes);
  if (text.trim() === '') throw new Unreadable(`${file.name} is empty.`);
  return text;
}

/** The bytes of a gzip file, not more than can be sent. */
async function unpacked(file: File): Promise<Uint8Array> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Unreadable(`${file.name} is damaged: it cannot be unpacked.`);
    });
    if (done) break;
    size += value.length;
    if (size > MOST_BYTES) {
      void reader.cancel();
      throw tooLarge(`${file.name}, unpacked,`, size);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

function otherPacking(bytes: Uint8Array): string | null {
  const begins = (...start: number[]) => start.every((byte, place) => bytes[place] === byte);
  if (begins(0x28, 0xb5, 0x2f, 0xfd)) return 'Zstandard';
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'ZIP';
  if (begins(0x42, 0x5a, 0x68)) return 'bzip2';
  if (begins(0x37, 0x7a, 0xbc, 0xaf)) return '7z';
  return null;
}

/** UTF-8 if the bytes are valid UTF-8, otherwise Latin-1, which the PGN standard prescribes. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
