# `make run` shows what there is, `make test` checks all of it.

CARGO ?= cargo
TABLES ?= target/tables
PROGRAM = $${CARGO_TARGET_DIR:-target}/release/errare
# What is shown needs no server, no evaluations by an engine and no Parquet, which take a while to compile.
ERRARE = $(CARGO) run --release --quiet --package errare --no-default-features -- --tables $(TABLES)

.PHONY: run test test-uci-client test-full bench lint pictures

# The first endgame of the papers: built here, counted, and one of its hardest positions looked up.
run:
	$(ERRARE) table build KQKR --metric dtm
	$(ERRARE) table stats KQKR --metric dtm
	$(ERRARE) table probe "8/8/8/8/2r5/8/2k5/K6Q w - - 0 1" --metric dtm

# Linting needs no C library and no engine, so what is built with them is looked at everywhere. What is built without
# them is less; `make test-full` looks at that.
lint:
	$(CARGO) fmt --all -- --check
	$(CARGO) clippy --workspace --all-targets --release --features gaviota,stockfish-tests -- -D warnings

# Everything once, with Gaviota tables, Stockfish and python-chess if they are there or can be installed. If not, that is
# said again at the end.
test: lint
	$(CARGO) test --workspace --release $$(tools/gaviota.sh install) $$(tools/stockfish.sh install)
	$(examine)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps --document-private-items
	@tools/gaviota.sh >/dev/null
	@tools/stockfish.sh >/dev/null
	@tools/python.sh >/dev/null

# Our engine, played and examined by a client that others wrote. `make test` has just built it, with its features; to
# build it again without them would take minutes.
examine = python=$$(tools/python.sh install); [ -z "$$python" ] || { \
	"$(PROGRAM)" --tables $(TABLES) table build KQKR KQK KRK --metric dtc,dtm && \
	"$$python" crates/errare/tests/uci_client.py "$(PROGRAM)" $(TABLES); }

test-uci-client:
	$(CARGO) build --release --package errare
	$(examine)

# Also what takes minutes: five-man endgames and the larger brute-force comparisons.
test-full: test
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings
	$(CARGO) clippy --package errare --release --no-default-features -- -D warnings
	$(CARGO) test --workspace --release $$(tools/gaviota.sh) $$(tools/stockfish.sh) -- --ignored

bench:
	$(CARGO) bench --package errare-tables --bench tables
	$(CARGO) bench --package errare-endgame --bench models
	$(CARGO) bench --package errare-ratings --bench fits

# The pictures of the book, anew; those that errare does not draw by itself need Python.
pictures:
	$(CARGO) build --release --package errare
	docs/pictures.sh "$${CARGO_TARGET_DIR:-target}/release/errare" $(TABLES)
