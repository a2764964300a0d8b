# `make run` opens the workbench, `make test` checks everything.

CARGO ?= cargo
TABLES ?= target/tables
PROGRAM = $${CARGO_TARGET_DIR:-$(CURDIR)/target}/release/errare

.PHONY: run test test-rust compile fetch format look clippy drive document test-python test-web test-uci-client test-slurm test-full test-six-men bench lint pictures figures experiments web book

# The workbench, with queen against rook ready to play. Where there is no display its address is printed.
run:
	$(CARGO) run --release --quiet --package errare --no-default-features --features workbench -- serve --open

# The front end's bundle, anew. It is committed: only a change in web/ needs this, and Node.
web:
	tools/web.sh install
	cd web && npm run build

# Linting needs no C library and no engine, so what is built with them is looked at everywhere. What is built without
# them is less; `make test-full` looks at that.
lint: format clippy
format:
	tools/test_files.sh
	$(CARGO) fmt --all -- --check
clippy:
	$(CARGO) clippy --workspace --all-targets --release --features gaviota,stockfish-tests -- -D warnings

# Everything once, with Gaviota tables, Stockfish, python-chess and Chromium if they are there or can be installed. If not,
# that is said again at the end. Debian's packages cannot be installed side by side, so those that the compiler needs come
# first; all others are fetched while it is busy.
test: format
	@tools/gaviota.sh install >/dev/null
	@tools/stockfish.sh install >/dev/null
	$(MAKE) --jobs=2 compile fetch
	$(MAKE) --jobs=2 test-rust look
	$(examine)
	$(manifests)
	tools/web.sh check "$(PROGRAM)"
	$(MAKE) --jobs=2 --output-sync drive test-python
	tools/web.sh speed "$(PROGRAM)"
	@tools/gaviota.sh >/dev/null
	@tools/stockfish.sh >/dev/null
	@tools/python.sh >/dev/null
	@tools/kubernetes.sh >/dev/null
	@tools/python.sh package >/dev/null
	@tools/chromium.sh >/dev/null

features = $$(tools/gaviota.sh) $$(tools/stockfish.sh)
compile:
	$(CARGO) test --no-run --workspace --release $(features)
fetch:
	tools/web.sh install
	@tools/chromium.sh install >/dev/null
	@tools/python.sh package install >/dev/null
	@tools/python.sh install >/dev/null
	@tools/kubernetes.sh install

# Our engine, played and examined by a client that others wrote. `make test` has just built it, with its features; to
# build it again without them would take minutes.
examine = python=$$(tools/python.sh install); [ -z "$$python" ] || { \
	"$(PROGRAM)" --tables $(TABLES) table build KQKR KQK KRK --metric dtc,dtm && \
	"$$python" crates/errare/tests/uci_client.py "$(PROGRAM)" $(TABLES); }

# Manifests of Kubernetes, checked against the schemas that its project publishes.
manifests = tools/kubernetes.sh install; run=$$(mktemp -d) && flags="--image errare:1 --claim chess --mount $$run" && \
	"$(PROGRAM)" --quiet --tables "$$run/tables" cluster kubernetes tables KQKR KBNK --run "$$run/a-run" $$flags >/dev/null && \
	"$(PROGRAM)" --quiet cluster kubernetes evaluate "$$run/games.pgn" --engine stockfish --shards 9 --out "$$run/turns" \
		--run "$$run/b-run" $$flags >/dev/null && \
	tools/kubernetes.sh check "$$run"/?-run/kubernetes/*.json && rm -r "$$run"

test-rust:
	$(CARGO) test --workspace --release $(features)

# The sources and their documentation are checked in the time that tests leave idle. Cargo locks its folder while it
# compiles and not while tests run, so the tests go first.
look:
	@sleep 5
	nice -n 19 $(MAKE) CARGO="$(CARGO) --quiet" clippy document
document:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --no-deps --document-private-items

# A browser mostly waits, so the Python package is tested meanwhile. What measures speed comes after that.
drive:
	tools/web.sh test "$(PROGRAM)"

# The Python package, in a fresh environment, with the library that `cargo test --workspace` has built: to build it anew for
# itself would take minutes.
test-python:
	tools/python.sh test "$(PROGRAM)" $(TABLES)

# The workbench in a real browser alone.
test-web:
	$(CARGO) build --release --package errare
	tools/web.sh install
	tools/web.sh check "$(PROGRAM)"
	tools/web.sh test "$(PROGRAM)"
	tools/web.sh speed "$(PROGRAM)"

test-uci-client:
	$(CARGO) build --release --package errare
	$(examine)

# Runs on a real Slurm with three nodes on this machine, one of which is killed. Five minutes.
test-slurm:
	@skip=$$(tools/slurm.sh install); [ -z "$$skip" ] || exit 1
	$(CARGO) test --workspace --release $(features) --test errare-tests -- --ignored slurm::

# Also what takes minutes: five-man endgames and the larger brute-force comparisons.
test-full: test
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings
	$(CARGO) clippy --package errare --release --no-default-features -- -D warnings
	$(CARGO) test --workspace --release $(features) -- --ignored --skip no_statement_on_six_men \
		$$(tools/slurm.sh install)
	tools/python.sh test-full "$(PROGRAM)" $(TABLES)

# The statements of the papers on six men. Eighty minutes on two processors, 9 GB of memory and 50 GB of disk.
test-six-men:
	$(CARGO) test --workspace --release $(features) --test errare-reproduce-tests \
		-- --ignored no_statement_on_six_men

bench:
	$(CARGO) bench --package errare-tables --bench tables
	$(CARGO) bench --package errare-endgame --bench models
	$(CARGO) bench --package errare-ratings --bench fits

# The pictures of the book, anew; those that errare does not draw by itself need Python.
pictures:
	$(CARGO) build --release --package errare
	docs/pictures.sh "$${CARGO_TARGET_DIR:-target}/release/errare" $(TABLES)

# The papers computed anew: the values that tests compare with, and the page of the book. A quarter of an hour, and where the
# tables of six men are not there yet what `test-six-men` takes.
figures:
	$(CARGO) build --release --package errare
	"$(PROGRAM)" --tables $(TABLES) reproduce --six-men --out target/papers >/dev/null
	cp target/papers/reproduce.json crates/errare-reproduce/tests/data/expected.json
	cp target/papers/reproduce.md docs/src/figures.md

# The pages of experiments, anew. All of them take several hours, nearly all of it for the tables and passes of `slips`.
experiments:
	$(CARGO) build --release --package errare
	"$(PROGRAM)" --tables $(TABLES) experiment predator pressing steadiness parameters metrics elo slips \
		--out target/experiments >/dev/null
	cp target/experiments/*.md target/experiments/*.svg docs/src/experiments

# The book as pages of HTML, in target/book.
book:
	"$$(tools/mdbook.sh)" build docs --dest-dir ../target/book
