//! The tests of errare-tables in one binary: quicker to build, and tables that one test builds serve the others.

mod brute_force;
mod conversion_goals;
mod faults;
mod find;
mod five_men;
mod histograms;
mod maxima;
mod oracle;
mod owned;
mod positions;
mod quiet;
mod six_men;
mod sizes;
mod support;
mod survey;
mod theorems;
mod whole_set;
