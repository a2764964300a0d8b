//! Streams that may be compressed.

use flate2::bufread::MultiGzDecoder;
use std::fmt;
use std::io::{self, BufReader, Chain, Cursor, ErrorKind, Read};
use zstd::stream::read::Decoder;

/// The first bytes of what gzip writes.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The first bytes of what zstd writes.
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Number of compressed bytes that are read at once.
const BUFFER: usize = 1 << 14;

/// The greatest number of bytes that one compressed byte may stand for. Games and turns take 5 to 20; 2 MB of gzip can
/// hold 2 GB of blank lines.
const MAX_RATIO: u64 = 256;

/// Number of bytes that are unpacked whatever the ratio: small files may repeat themselves.
const FREE: u64 = 16 << 20;

/// A stream that is unpacked if it is compressed by gzip or zstd, and passed on as it is if not.
///
/// The first bytes decide, when the stream is first read; a name plays no part. Files that were put one after the other
/// are read as one. A stream that unpacks to more than 256 times its size, beyond the first 16 MiB, ends in an error, so
/// that the work is bounded by the size of the file.
///
/// ```
/// use errare_work::Unpacked;
/// use std::io::Read;
///
/// let packed = zstd::encode_all(&b"1. e4 e5"[..], 3)?;
/// for stream in [&packed[..], b"1. e4 e5"] {
///     let mut text = String::new();
///     Unpacked::new(stream).read_to_string(&mut text)?;
///     assert_eq!(text, "1. e4 e5");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Unpacked<R> {
    stream: Stream<R>,
    /// Number of bytes that were unpacked so far.
    produced: u64,
}

/// The stream from its first byte on.
type Whole<R> = Chain<Cursor<Vec<u8>>, R>;

type Source<R> = BufReader<Counted<Whole<R>>>;

enum Stream<R> {
    /// The bytes read so far do not decide the format of the stream.
    Fresh {
        first: Vec<u8>,
        reader: R,
    },
    Plain(Whole<R>),
    Gzip(MultiGzDecoder<Source<R>>),
    Zstd(Decoder<'static, Source<R>>),
    Ended,
}

/// Counts the bytes that are read.
struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count += read as u64;
        Ok(read)
    }
}

impl<R: Read> Unpacked<R> {
    /// Begins a stream. Nothing is read yet.
    pub fn new(reader: R) -> Unpacked<R> {
        Unpacked { stream: Stream::Fresh { first: Vec::new(), reader }, produced: 0 }
    }

    /// Whether the format has a checksum of all that was unpacked, as gzip always has: then damage is an error.
    pub fn is_checked(&self) -> bool {
        matches!(self.stream, Stream::Gzip(_))
    }

    /// Reads as many bytes as it takes to recognise the format.
    fn begin(&mut self) -> io::Result<()> {
        let Stream::Fresh { first, reader } = &mut self.stream else { return Ok(()) };
        while [GZIP, ZSTD].iter().any(|magic| magic.len() > first.len() && magic.starts_with(first)) {
            let mut byte = [0];
            match reader.read(&mut byte) {
                Ok(0) => break,
                Ok(_) => first.push(byte[0]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let Stream::Fresh { first, reader } = std::mem::replace(&mut self.stream, Stream::Ended) else {
            return Ok(());
        };
        let (is_gzip, is_zstd) = (first == GZIP, first == ZSTD);
        let whole = Cursor::new(first).chain(reader);
        let source = |reader| BufReader::with_capacity(BUFFER, Counted { reader, count: 0 });
        self.stream = if is_gzip {
            Stream::Gzip(MultiGzDecoder::new(source(whole)))
        } else if is_zstd {
            Stream::Zstd(Decoder::with_buffer(source(whole))?)
        } else {
            Stream::Plain(whole)
        };
        Ok(())
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.begin()?;
        let (read, consumed) = match &mut self.stream {
            Stream::Plain(reader) => return reader.read(buffer),
            Stream::Gzip(decoder) => (decoder.read(buffer)?, decoder.get_ref().get_ref().count),
            Stream::Zstd(decoder) => (decoder.read(buffer)?, decoder.get_ref().get_ref().count),
            Stream::Fresh { .. } | Stream::Ended => return Ok(0),
        };
        self.produced += read as u64;
        if self.produced > FREE + MAX_RATIO * consumed {
            self.stream = Stream::Ended;
            let what = format!("the compressed data unpack to more than {MAX_RATIO} times their size: refused");
            return Err(io::Error::new(ErrorKind::InvalidData, what));
        }
        Ok(read)
    }
}

impl<R> fmt::Debug for Unpacked<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stream = match self.stream {
            Stream::Fresh { .. } => "fresh",
            Stream::Plain(_) => "plain",
            Stream::Gzip(_) => "gzip",
            Stream::Zstd(_) => "zstd",
            Stream::Ended => "ended",
        };
        f.debug_struct("Unpacked").field("stream", &stream).field("produced", &self.produced).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Gives one byte at a time, after an interruption each.
    struct Dripping<'a>(&'a [u8], bool);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(&mut buffer[..1]) }
        }
    }

    fn unpacked(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut found = Vec::new();
        Unpacked::new(Dripping(bytes, false)).read_to_end(&mut found)?;
        Ok(found)
    }

    #[test]
    fn packed_and_plain_streams_read_alike() {
        for text in [&b""[..], b"a", b"\x1f", b"\x28\xb5", b"[Event \"x\"]\n\n1. e4 *\n"] {
            assert_eq!(unpacked(text).unwrap(), text);
            for packed in [gzip(text), zstd::encode_all(text, 3).unwrap()] {
                assert_eq!(unpacked(&packed).unwrap(), text);
                assert_eq!(unpacked(&[&packed[..], &packed].concat()).unwrap(), [text, text].concat());
                assert!(unpacked(&packed[..packed.len() - 1]).is_err(), "cut off");
            }
        }
    }

    #[test]
    fn what_unpacks_without_end_is_refused() {
        let blank = vec![b'\n'; 64 << 20];
        for packed in [gzip(&blank), zstd::encode_all(&blank[..], 3).unwrap()] {
            let mut found = Vec::new();
            let error = Unpacked::new(&packed[..]).read_to_end(&mut found).unwrap_err();
            assert!(error.to_string().contains("more than 256 times"), "{error}");
            assert!(found.len() < (48 << 20), "{}", found.len());
        }
        let varied: Vec<u8> =
            (0..3_u32 << 20).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
        let packed = gzip(&varied);
        let mut found = Vec::new();
        Unpacked::new(&packed[..]).read_to_end(&mut found).unwrap();
        assert!(found == varied);
    }
}
