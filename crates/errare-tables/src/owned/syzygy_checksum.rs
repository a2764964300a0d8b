//! The checksum of Syzygy files: their last 16 bytes, after a length that is a multiple of 64.
//!
//! The checksum is that of the generator (`checksum.c` in github.com/syzygy1/tb): CityHashCrc256 of every 16 MiB, and
//! CityHashCrc128 of those hashes. The hash functions are CityHash 1.0, by Geoff Pike and Jyrki Alakuijala:
//!
//! Copyright (c) 2011 Google, Inc.
//!
//! Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
//! documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
//! rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
//! persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and
//! this permission notice shall be included in all copies or substantial portions of the Software. The software is
//! provided "as is", without warranty of any kind.

use std::io::{self, Read};

/// The number of bytes that are hashed at once.
const CHUNK: u64 = 1 << 24;

/// The number of bytes of a checksum.
pub const CHECKSUM: u64 = 16;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// Whether the checksum at the end of a file of this length is right.
///
/// # Errors
/// If the file cannot be read, or ends too early.
pub fn holds(mut file: impl Read, length: u64) -> io::Result<bool> {
    let Some(body) = length.checked_sub(CHECKSUM) else { return Ok(false) };
    let mut buffer = vec![0; body.min(CHUNK) as usize];
    let mut hashes = Vec::new();
    let mut left = body;
    while left > 0 {
        let part = &mut buffer[..left.min(CHUNK) as usize];
        file.read_exact(part)?;
        hashes.extend(crc_256(part).into_iter().flat_map(u64::to_le_bytes));
        left -= part.len() as u64;
    }
    let mut stored = [0; CHECKSUM as usize];
    file.read_exact(&mut stored)?;
    Ok(crc_128(&hashes).map(u64::to_le_bytes).concat() == stored)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

fn shift_mix(value: u64) -> u64 {
    value ^ value >> 47
}

fn times(value: u64, factor: u64) -> u64 {
    value.wrapping_mul(factor)
}

fn sum<const N: usize>(terms: [u64; N]) -> u64 {
    terms.into_iter().fold(0, u64::wrapping_add)
}

/// Hashes two words into one (`HashLen16`).
fn mix(low: u64, high: u64) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = shift_mix(times(low ^ high, FACTOR));
    let b = shift_mix(times(high ^ a, FACTOR));
    times(b, FACTOR)
}

/// Computes `CityHashCrc128` of some bytes.
fn crc_128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() <= 900 {
        return hash_128(bytes);
    }
    let [_, _, low, high] = crc_256(bytes);
    [low, high]
}

/// Computes `CityHash128` of at least 32 bytes; fewer are the hash of no chunk at all, which no file has.
fn hash_128(bytes: &[u8]) -> [u64; 2] {
    if bytes.len() < 32 {
        return [0; 2];
    }
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = &bytes[16..];
    if rest.len() < 128 { murmur(rest, seed) } else { hash_long(rest, seed) }
}

/// Computes `CityMurmur` of at least 16 bytes.
fn murmur(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let length = bytes.len();
    let (mut c, mut d);
    if length == 16 {
        a = times(shift_mix(times(a, K1)), K1);
        let last = word(bytes, 8);
        c = times(b, K1).wrapping_add(mix(word(bytes, 0), last.wrapping_add(16).rotate_right(16)) ^ last);
        d = shift_mix(a.wrapping_add(word(bytes, 0)));
    } else {
        c = mix(word(bytes, length - 8).wrapping_add(K1), a);
        d = mix(b.wrapping_add(length as u64), c.wrapping_add(word(bytes, length - 16)));
        a = a.wrapping_add(d);
        for at in (0..length - 16).step_by(16) {
            a = times(a ^ times(shift_mix(times(word(bytes, at), K1)), K1), K1);
            b ^= a;
            c = times(c ^ times(shift_mix(times(word(bytes, at + 8), K1)), K1), K1);
            d ^= c;
        }
    }
    let (a, b) = (mix(a, c), mix(d, b));
    [a ^ b, mix(b, a)]
}

/// Computes `WeakHashLen32WithSeeds`: two words from four, and two seeds.
fn weak(bytes: &[u8], at: usize, a: u64, b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|place| word(bytes, at + place));
    let c = a.wrapping_add(w);
    let b = sum([b, c, z]).rotate_right(21);
    let a = sum([c, x, y]);
    [a.wrapping_add(z), sum([b, a.rotate_right(44), c])]
}

/// Computes `CityHash128WithSeed` of at least 128 bytes.
fn hash_long(bytes: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let at = |place: usize| word(bytes, place);
    let mut z = times(bytes.len() as u64, K1);
    let mut v = [times((y ^ K1).rotate_right(49), K1).wrapping_add(at(0)), 0];
    v[1] = times(v[0].rotate_right(42), K1).wrapping_add(at(8));
    let mut w = [
        times(y.wrapping_add(z).rotate_right(35), K1).wrapping_add(x),
        times(x.wrapping_add(at(88)).rotate_right(53), K1),
    ];
    let whole = bytes.len() / 128 * 128;
    for s in (0..whole).step_by(64) {
        x = times(sum([x, y, v[0], at(s + 8)]).rotate_right(37), K1);
        y = times(sum([y, v[1], at(s + 48)]).rotate_right(42), K1);
        x ^= w[1];
        y = sum([y, v[0], at(s + 40)]);
        z = times(z.wrapping_add(w[0]).rotate_right(33), K1);
        v = weak(bytes, s, times(v[1], K1), x.wrapping_add(w[0]));
        w = weak(bytes, s + 32, z.wrapping_add(w[1]), y.wrapping_add(at(s + 16)));
        (x, z) = (z, x);
    }
    x = x.wrapping_add(times(v[0].wrapping_add(z).rotate_right(49), K0));
    z = z.wrapping_add(times(w[0].rotate_right(37), K0));
    for done in (32..).step_by(32).take((bytes.len() - whole).div_ceil(32)) {
        let s = bytes.len() - done;
        y = times(x.wrapping_add(y).rotate_right(42), K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(at(s + 16));
        x = times(x, K0).wrapping_add(w[0]);
        z = sum([z, w[1], at(s)]);
        w[1] = w[1].wrapping_add(v[0]);
        v = weak(bytes, s, v[0].wrapping_add(z), v[1]);
    }
    x = mix(x, v[0]);
    y = mix(y.wrapping_add(z), w[0]);
    [mix(x.wrapping_add(v[1]), w[1]).wrapping_add(y), mix(x.wrapping_add(w[1]), y.wrapping_add(v[1]))]
}

/// Computes `CityHashCrc256` of some bytes.
fn crc_256(bytes: &[u8]) -> [u64; 4] {
    const LEAST: usize = 240;
    if bytes.len() >= LEAST {
        return crc_256_long(bytes, 0);
    }
    let mut padded = [0; LEAST];
    padded[..bytes.len()].copy_from_slice(bytes);
    crc_256_long(&padded, !(bytes.len() as u32))
}

/// The state of `CityHashCrc256`: six words that are stirred, and five checksums of them.
struct Stirred {
    words: [u64; 6],
    checksums: [u64; 5],
}

impl Stirred {
    /// Takes 40 bytes into the state.
    #[inline(always)]
    fn stir(&mut self, bytes: &[u8; 40], factor: u64, turn: u32) {
        let [a, b, c, d, e, t] = self.words;
        let turned = [b, c, d, e, t];
        for (place, by) in [41, 27, 41, 33, 25].into_iter().enumerate() {
            let next = times(turned[place].rotate_right(by ^ turn), factor).wrapping_add(word(bytes, 8 * place));
            self.words[place] = next;
            self.checksums[place] = crc_32(self.checksums[place], next);
        }
        self.words[5] = a;
    }
}

/// Computes `CityHashCrc256Long` of at least 240 bytes.
fn crc_256_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let seed = u64::from(seed);
    let length = bytes.len() as u64;
    let b = word(bytes, 96).wrapping_add(K0);
    let first = mix(b, length);
    let second = times(word(bytes, 120), K0).wrapping_add(length);
    let words = [
        word(bytes, 56).wrapping_add(K0),
        b,
        first,
        second,
        word(bytes, 184).wrapping_add(seed),
        first.wrapping_add(second),
    ];
    let mut state = Stirred { words, checksums: [seed, 0, 0, 0, 0] };
    let (parts, rest) = bytes.as_chunks::<40>();
    let paired = parts.len() / 6 * 6;
    for (number, part) in parts.iter().enumerate() {
        if number < paired && number % 2 == 0 { state.stir(part, 1, 1) } else { state.stir(part, K0, 0) }
    }
    if !rest.is_empty()
        && let Some(last) = bytes.last_chunk::<40>()
    {
        state.stir(last, K0, 0);
    }
    let [mut a, mut b, mut c, mut d, mut e, t] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.checksums;
    j = j.wrapping_add(i << 32);
    a = mix(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = mix(c, f).wrapping_add(i);
    d = mix(d, e.wrapping_add(first));
    j = j.wrapping_add(e);
    i = i.wrapping_add(mix(h, t));
    e = mix(a, d).wrapping_add(j);
    f = mix(b, c).wrapping_add(a);
    g = mix(j, i).wrapping_add(c);
    let one = sum([e, f, g, h]);
    a = times(shift_mix(times(a.wrapping_add(g), K0)), K0).wrapping_add(b);
    let two = sum([second, a, one]);
    a = times(shift_mix(times(a, K0)), K0).wrapping_add(c);
    let three = a.wrapping_add(two);
    a = times(shift_mix(times(a.wrapping_add(e), K0)), K0);
    [one, two, three, a.wrapping_add(three)]
}

/// CRC-32C tables for eight bytes at once: entry `[k][byte]` is the effect of a byte that `k` others follow.
static CRC_TABLES: [[u32; 256]; 8] = crc_tables();

const fn crc_tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut place = 1;
    while place < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[place - 1][byte];
            tables[place][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        place += 1;
    }
    tables
}

/// The CRC-32C of a word that continues an earlier CRC, as the processor instruction of that name computes it.
#[inline(always)]
fn crc_32(crc: u64, word: u64) -> u64 {
    let bytes = (u64::from(crc as u32) ^ word).to_le_bytes();
    let effects = bytes.iter().zip(CRC_TABLES.iter().rev()).map(|(&byte, table)| table[usize::from(byte)]);
    u64::from(effects.fold(0, |all, effect| all ^ effect))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_checksum_of_words_is_crc_32c() {
        // The check value of the CRC-32C catalogue is that of "123456789"; this is one of RFC 3720, B.4: 32 bytes of 0xff.
        let crc = (0..4).fold(u64::from(!0_u32), |crc, _| crc_32(crc, !0));
        assert_eq!(!(crc as u32), 0x62a8_ab43);
    }

    #[test]
    fn every_bit_of_a_published_table_counts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../errare/tests/data/owned/syzygy");
        for entry in std::fs::read_dir(folder).expect("tables") {
            let path = entry.expect("a table").path();
            let bytes = std::fs::read(&path).expect("read");
            let length = bytes.len() as u64;
            assert!(holds(&bytes[..], length).expect("read"), "{}", path.display());
            for place in (0..bytes.len()).step_by(bytes.len() / 61 + 1) {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << (place % 8);
                assert!(!holds(&damaged[..], length).expect("read"), "{} at {place}", path.display());
            }
            assert!(holds(&bytes[..bytes.len() - 1], length).is_err());
        }
        assert!(!holds(&[][..], 0).expect("read"));
    }

    /// Long files have several chunks, and very long ones so many that another function hashes their hashes. The values
    /// are those of the generator's own code.
    #[test]
    fn hashes_of_any_length_are_those_of_the_generator() {
        let bytes: Vec<u8> = (0..2000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let expected = [
            (32, [0x9411_f38e_cd9e_4e7c, 0x5c32_ff46_cb9a_3e38]),
            (64, [0xc23a_be19_401a_73b1, 0xf744_0c4c_fc4b_63b5]),
            (96, [0x6190_e6c7_24d2_9cd7, 0xc17e_95e6_59cf_4772]),
            (128, [0xe4c7_5879_b292_90e8, 0xb14b_00b6_8f4d_6420]),
            (160, [0x3548_ae26_1ad2_36c2, 0x34ab_ea3e_38de_96e7]),
            (320, [0x2243_8ef2_0ad8_6355, 0xe493_f8e0_ec06_bc0b]),
            (896, [0x364a_bd5d_d14e_8248, 0xd752_f1ca_2368_4978]),
            (928, [0x7b0c_5c87_344a_be26, 0x96b8_ecc6_f7d8_965a]),
            (1999, [0x82bb_ad1c_0367_860e, 0x380f_4a99_f601_dafe]),
        ];
        for (length, hash) in expected {
            assert_eq!(crc_128(&bytes[..length]), hash, "{length}");
        }
    }
}
