//! Sizes in bytes, as people write and read them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, read from texts such as `512M`, `2G`, `1.5g` or `2GiB`, and shown as in `1.5 MiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ByteSize(bytes) = *self;
        match bytes {
            0..1024 => write!(f, "{bytes} B"),
            1024..0x10_0000 => write!(f, "{:.1} KiB", bytes as f64 / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.1} MiB", bytes as f64 / f64::from(1 << 20)),
            _ => write!(f, "{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
        }
    }
}

impl FromStr for ByteSize {
    type Err = String;

    fn from_str(text: &str) -> Result<ByteSize, String> {
        let refused = || format!("invalid size `{text}`: expected a number with K, M, G or T, as in 800M or 2G");
        let lower = text.trim().to_ascii_lowercase();
        let digits = lower.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(lower.len());
        let (number, unit) = lower.split_at(digits);
        let shift = match unit.trim_start() {
            "" | "b" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            _ => return Err(refused()),
        };
        let bytes = number.parse::<f64>().map_err(|_| refused())? * (1_u64 << shift) as f64;
        // A size beyond the type is as good as no limit.
        if bytes >= 1.0 { Ok(ByteSize(bytes as u64)) } else { Err(refused()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<ByteSize>().map(|ByteSize(bytes)| bytes);
        assert_eq!(read("4096"), Ok(4096));
        assert_eq!(read("2G"), Ok(2 << 30));
        assert_eq!(read("1.5g"), Ok(3 << 29));
        assert_eq!(read("800 MiB"), Ok(800 << 20));
        assert_eq!(read("7kb"), Ok(7 << 10));
        assert_eq!(read("99999999999T"), Ok(u64::MAX));
        for text in ["", "G", "0", "-1G", "2X", "1.2.3M", "nan", "inf", "2GG", "0x10"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_carry_their_unit() {
        let shown = [1023, 1024, 3 << 19, 5 << 30].map(|bytes| ByteSize(bytes).to_string());
        assert_eq!(shown, ["1023 B", "1.0 KiB", "1.5 MiB", "5.0 GiB"]);
    }
}
