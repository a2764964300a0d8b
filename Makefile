# `make run` shows what there is, `make test` checks all of it.

CARGO ?= cargo
TABLES ?= target/tables
ERRARE = $(CARGO) run --release --quiet --package errare -- --tables $(TABLES)

.PHONY: run test test-full bench lint

# The first endgame of the papers: built here, counted, and one of its hardest positions looked up.
run:
	$(ERRARE) table build KQKR --metric dtm
	$(ERRARE) table stats KQKR --metric dtm
	$(ERRARE) table probe "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1" --metric dtm

lint:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings

test: lint
	$(CARGO) test --workspace --release
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items

# Also what takes minutes: five-man endgames and the larger brute-force comparisons.
test-full: test
	$(CARGO) test --workspace --release -- --ignored

bench:
	$(CARGO) bench --package errare-tables --bench tables
