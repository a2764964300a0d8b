//! Numbers to places between the ends of an axis, linear or logarithmic, with round ticks.

/// The greatest number that has a place on a linear axis: differences of larger ones could be infinite.
const LARGEST: f64 = 1e300;

/// The range of an axis. The ends of a logarithmic one are logarithms to base 10.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
    log: bool,
}

/// A labelled place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The place as a share of the axis, from 0 to 1.
    pub share: f64,
    pub label: String,
}

/// The first and the last label of these ticks, in words.
pub fn extent(ticks: &[Tick]) -> String {
    match ticks {
        [first, .., last] => format!("about {} to {}", first.label, last.label),
        _ => "without numbers".to_owned(),
    }
}

impl Scale {
    /// A range from the least of the numbers to the greatest of them.
    pub fn tight(values: impl IntoIterator<Item = f64>, log: bool) -> Scale {
        let scale = Scale::spanning(values, log);
        // Numbers close together may have no round one among them.
        if scale.ticks(6).len() < 2 { scale.rounded(6) } else { scale }
    }

    /// A range between two round numbers that holds all the numbers, and has about `max_ticks` ticks at most.
    pub fn round(values: impl IntoIterator<Item = f64>, log: bool, max_ticks: usize) -> Scale {
        let mut scale = Scale::spanning(values, log);
        // Including zero takes little room here, and shows how large the numbers are.
        if !log && scale.from > 0.0 && scale.from < 0.3 * scale.to {
            scale.from = 0.0;
        }
        scale.rounded(max_ticks)
    }

    fn spanning(values: impl IntoIterator<Item = f64>, log: bool) -> Scale {
        let ends = values.into_iter().filter_map(|value| measure(value, log));
        let ends = ends.fold(None, |ends, value| {
            let (from, to) = ends.unwrap_or((value, value));
            Some((value.min(from), value.max(to)))
        });
        let (from, to) = ends.unwrap_or((0.0, 1.0));
        // Steps far below the precision of the numbers would never get anywhere.
        let (from, to) = match from.abs().max(to.abs()) {
            _ if log && to - from > 1e-9 => (from, to),
            _ if log => (from - 0.2, to + 0.2),
            largest if to - from > 1e-9 * largest => (from, to),
            0.0 => (-1.0, 1.0),
            largest => (from - largest / 2.0, to + largest / 2.0),
        };
        Scale { from, to, log }
    }

    fn rounded(self, max_ticks: usize) -> Scale {
        let down = |value: f64| (value + 1e-9).floor();
        let up = |value: f64| (value - 1e-9).ceil();
        let (from, to) = if !self.log {
            let step = TickStep::linear(self.to - self.from, max_ticks).size();
            (down(self.from / step) * step, up(self.to / step) * step)
        } else if self.to - self.from > 1.5 {
            (down(self.from), up(self.to))
        } else {
            let places: Vec<f64> = mantissas(self.from - 1.0, self.to + 1.0, &[1, 2, 5]).map(|(at, ..)| at).collect();
            let from = places.iter().rfind(|&&place| place <= self.from + 1e-9);
            let to = places.iter().find(|&&place| place >= self.to - 1e-9);
            (*from.unwrap_or(&self.from), *to.unwrap_or(&self.to))
        };
        Scale { from, to, ..self }
    }

    /// The place of a number as a share of the axis. None if it is not finite, or not positive on a logarithmic axis.
    pub fn place(&self, value: f64) -> Option<f64> {
        measure(value, self.log).map(|value| self.share(value))
    }

    fn share(&self, measure: f64) -> f64 {
        ((measure - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    fn holds(&self, measure: f64) -> bool {
        let slack = 1e-9 * (self.to - self.from);
        (self.from - slack..=self.to + slack).contains(&measure)
    }

    /// Round numbers on the axis, about `max_ticks` of them at most.
    pub fn ticks(&self, max_ticks: usize) -> Vec<Tick> {
        if self.log { self.log_ticks(max_ticks) } else { self.linear_ticks(max_ticks) }
    }

    fn linear_ticks(&self, max_ticks: usize) -> Vec<Tick> {
        let step = TickStep::linear(self.to - self.from, max_ticks);
        let size = step.size();
        let (first, last) = ((self.from / size - 1e-9).ceil(), (self.to / size + 1e-9).floor());
        let largest = self.from.abs().max(self.to.abs());
        (0..=(last - first).max(0.0) as usize)
            .map(|index| first + index as f64)
            .filter(|count| self.holds(count * size))
            .map(|count| Tick { share: self.share(count * size), label: step.label(count, largest) })
            .collect()
    }

    fn log_ticks(&self, max_ticks: usize) -> Vec<Tick> {
        let span = self.to - self.from;
        let tick = |at: f64, mantissa, exponent, plain| Tick {
            share: self.share(at),
            label: power_label(mantissa, exponent, plain),
        };
        let plain = self.from > -3.5 && self.to < 5.5;
        if span <= 2.5 {
            let wanted: &[u8] = if span <= 0.8 { &[1, 2, 3, 4, 5, 6, 7, 8, 9] } else { &[1, 2, 5] };
            return mantissas(self.from, self.to, wanted)
                .filter(|(at, ..)| self.holds(*at))
                .map(|(at, mantissa, exponent)| tick(at, mantissa, exponent, plain))
                .collect();
        }
        let steps = [1, 2, 3, 5, 10, 20, 50, 100];
        let step = steps.into_iter().find(|&step| span / f64::from(step) < max_ticks as f64).unwrap_or(200);
        mantissas(self.from, self.to, &[1])
            .filter(|(at, _, exponent)| self.holds(*at) && exponent % step == 0)
            .map(|(at, mantissa, exponent)| tick(at, mantissa, exponent, plain && step == 1))
            .collect()
    }

    /// The places of 2, 3, ..., 9 within each power of ten, which show that an axis is logarithmic. None on a linear one.
    pub fn minor(&self) -> Vec<f64> {
        if !self.log || self.to - self.from > 14.0 {
            return Vec::new();
        }
        let all = mantissas(self.from, self.to, &[2, 3, 4, 5, 6, 7, 8, 9]);
        all.filter(|(at, ..)| self.holds(*at)).map(|(at, ..)| self.share(at)).collect()
    }
}

/// Measures a number on an axis: the number itself, or its logarithm on a logarithmic axis; none if it has no place
/// there.
fn measure(value: f64, log: bool) -> Option<f64> {
    match log {
        true => (value.is_finite() && value > 0.0).then(|| value.log10()),
        // Powers of ten far below this one are no longer exact.
        false if value.abs() < 1e-290 => Some(0.0),
        false => (value.abs() <= LARGEST).then_some(value),
    }
}

/// Lists the wanted multiples of powers of ten: their logarithms, with multiple and exponent.
fn mantissas(from: f64, to: f64, wanted: &[u8]) -> impl Iterator<Item = (f64, u8, i32)> {
    let exponents = from.floor() as i32..=to.ceil() as i32;
    exponents.flat_map(move |exponent| {
        wanted.iter().map(move |&mantissa| (f64::from(exponent) + f64::from(mantissa).log10(), mantissa, exponent))
    })
}

/// The distance of two ticks on a linear axis: 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug)]
struct TickStep {
    mantissa: f64,
    exponent: i32,
}

impl TickStep {
    fn linear(span: f64, max_ticks: usize) -> TickStep {
        let least = span / max_ticks.max(1) as f64;
        let exponent = least.log10().floor() as i32;
        let mantissa = [1.0, 2.0, 5.0].into_iter().find(|mantissa| mantissa * power(exponent) >= least * (1.0 - 1e-9));
        match mantissa {
            Some(mantissa) => TickStep { mantissa, exponent },
            None => TickStep { mantissa: 1.0, exponent: exponent + 1 },
        }
    }

    fn size(self) -> f64 {
        self.mantissa * power(self.exponent)
    }

    /// The label of the tick `count` steps from zero, with as many digits as all labels need up to the largest.
    fn label(self, count: f64, largest: f64) -> String {
        let value = count * self.size();
        let magnitude = largest.log10().floor() as i32;
        let digits = |exponent: i32| usize::try_from(exponent).unwrap_or(0);
        let text = if count == 0.0 {
            "0".to_owned()
        } else if (-4..6).contains(&magnitude) && self.exponent >= 0 {
            format!("{}{}", if value < 0.0 { "-" } else { "" }, grouped(value.abs().round() as u64))
        } else if (-4..6).contains(&magnitude) {
            format!("{value:.*}", digits(-self.exponent))
        } else {
            let mantissa = value / power(magnitude);
            format!("{mantissa:.*}\u{d7}10{}", digits(magnitude - self.exponent), superscript(magnitude))
        };
        text.replace('-', "\u{2212}")
    }
}

fn power(exponent: i32) -> f64 {
    10f64.powi(exponent)
}

fn power_label(mantissa: u8, exponent: i32, plain: bool) -> String {
    match (plain, mantissa) {
        (true, _) if exponent >= 0 => grouped(u64::from(mantissa) * 10u64.saturating_pow(exponent.unsigned_abs())),
        (true, _) => format!("{:.*}", exponent.unsigned_abs() as usize, f64::from(mantissa) * power(exponent)),
        (false, 1) => format!("10{}", superscript(exponent)),
        (false, _) => format!("{mantissa}\u{d7}10{}", superscript(exponent)),
    }
}

/// A number with its digits in groups of three: `1,234,567`.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |letter: char| letter.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize % 10]);
    exponent.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, max_ticks: usize) -> Vec<String> {
        scale.ticks(max_ticks).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(Scale::round([0.02, 0.97], false, 6), 6), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(Scale::tight([1.0, 37.0], false), 8), ["5", "10", "15", "20", "25", "30", "35"]);
        assert_eq!(labels(Scale::round([-3.0, 4.0], false, 5), 5), ["\u{2212}4", "\u{2212}2", "0", "2", "4"]);
        assert_eq!(labels(Scale::tight([0.0, 40_000.0], false), 4), ["0", "10,000", "20,000", "30,000", "40,000"]);
        assert_eq!(labels(Scale::tight([0.0, 2e9], false), 4), ["0", "0.5×10⁹", "1.0×10⁹", "1.5×10⁹", "2.0×10⁹"]);
    }

    #[test]
    fn ticks_of_a_logarithmic_axis_are_powers_or_few_multiples() {
        assert_eq!(labels(Scale::round([1.0, 1e12], true, 7), 7), ["10⁰", "10²", "10⁴", "10⁶", "10⁸", "10¹⁰", "10¹²"]);
        assert_eq!(labels(Scale::round([0.02, 30.0], true, 9), 9), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(labels(Scale::round([2e-8, 4e-8], true, 9), 9), ["2×10⁻⁸", "3×10⁻⁸", "4×10⁻⁸", "5×10⁻⁸"]);
        assert_eq!(labels(Scale::tight([1.0, 60.0], true), 9), ["1", "2", "5", "10", "20", "50"]);
    }

    #[test]
    fn digits_are_in_groups_of_three() {
        assert_eq!([0, 999, 1000, 1_002_003].map(grouped), ["0", "999", "1,000", "1,002,003"]);
    }

    #[test]
    fn every_range_has_ticks_and_a_place_for_its_numbers() {
        let numbers = [0.0, 5e-324, 1e-300, 1e-9, 1.0, 1.0 + 1e-13, 1.0 + 1e-7, 3.0, 1e15, 1e300, f64::MAX];
        for (&one, &other) in numbers.iter().flat_map(|one| numbers.iter().map(move |other| (one, other))) {
            for (one, other, log) in
                [(one, other, false), (-one, other, false), (-one, -other, false), (one, other, true)]
            {
                for scale in [Scale::tight([one, other], log), Scale::round([one, other], log, 8)] {
                    let ticks = scale.ticks(8);
                    assert!((2..=14).contains(&ticks.len()), "{one} {other} {scale:?} {ticks:?}");
                    assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.share)), "{scale:?} {ticks:?}");
                    assert!(ticks.windows(2).all(|pair| pair[0].share < pair[1].share), "{scale:?} {ticks:?}");
                    assert!(ticks.windows(2).all(|pair| pair[0].label != pair[1].label), "{scale:?} {ticks:?}");
                    assert!([one, other].iter().filter_map(|&value| scale.place(value)).all(f64::is_finite));
                }
            }
        }
    }

    #[test]
    fn numbers_outside_the_domain_of_an_axis_have_no_place() {
        let (linear, log) = (Scale::tight([0.0, 1.0], false), Scale::tight([1.0, 10.0], true));
        assert_eq!([f64::NAN, f64::INFINITY, f64::MAX].map(|value| linear.place(value)), [None; 3]);
        assert_eq!([f64::NAN, 0.0, -1.0].map(|value| log.place(value)), [None; 3]);
        assert_eq!(linear.place(0.25), Some(0.25));
        assert_eq!(log.place(10.0), Some(1.0));
    }
}
